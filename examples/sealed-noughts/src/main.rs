//! The Ludotheque server with one more kind: `cargo run -p sealed-noughts -- serve`.

fn main() -> std::process::ExitCode {
    ludotheque::cli::Program::new(sealed_noughts::catalog()).main()
}
