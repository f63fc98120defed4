//! What the suites need, installed once for each state of their lock files: npm packages, and a Python of their own.

use super::suites::{Script, Suite};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A suite in a folder of its own, with all that it needs.
pub struct Tools {
    pub folder: PathBuf,
}

impl Tools {
    /// Copies the suite, so that nothing is left in the sources, and installs what it needs.
    pub fn install(suite: &Suite) -> Result<Self, String> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance").join(suite.name);
        fs::create_dir_all(&folder).unwrap();
        let own = format!("tests/conformance/{}", suite.name);
        for source in ["tests/conformance/kit", &own].iter().chain(suite.examples) {
            copy_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(source), &folder);
        }
        let tools = Self { folder };
        tools.once_for("package-lock.json", || {
            tools.run("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
        })?;
        tools.once_for("requirements.txt", || {
            tools.run("python3", &["-m", "venv", "--clear", "venv"])?;
            // All of them are listed, each with its version.
            let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
            tools.run("venv/bin/python", &[&pip[..], &["-r", "requirements.txt"]].concat())
        })?;
        Ok(tools)
    }

    /// The command line of one of its scripts.
    pub fn how_to_run(&self, script: &Script) -> [PathBuf; 2] {
        let program = if script.is_python() { self.folder.join("venv/bin/python") } else { "node".into() };
        [program, script.file.into()]
    }

    /// Does something unless it was done before for the same content of a file; nothing, if there is no such file.
    fn once_for(&self, file: &str, work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        let (wanted, installed) = (self.folder.join(file), self.folder.join(format!("{file}.installed")));
        if !wanted.exists() || fs::read(&installed).ok() == fs::read(&wanted).ok() {
            return Ok(());
        }
        work()?;
        fs::copy(&wanted, &installed).unwrap();
        Ok(())
    }

    fn run(&self, program: &str, options: &[&str]) -> Result<(), String> {
        let asked = || format!("{program} {}", options.join(" "));
        let program = if program.contains('/') { self.folder.join(program) } else { program.into() };
        match Command::new(program).args(options).current_dir(&self.folder).output() {
            Err(error) => Err(format!("{} can't be run ({error}); ./scripts/test installs it", asked())),
            Ok(output) if !output.status.success() => {
                let said = [output.stdout, output.stderr].concat();
                Err(format!("{}: {}", asked(), String::from_utf8_lossy(&said)))
            }
            Ok(_) => Ok(()),
        }
    }
}

fn copy_files(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let file = entry.unwrap().path();
        if file.is_file() {
            fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
        }
    }
}
