//! Build script: builds the pages in `web/` with npm, for `src/web` to embed.
//!
//! By default it never fails the build or blocks it for ever: if npm is missing or fails, the server is built without
//! pages and serves a notice in their place. `LUDOTHEQUE_WEB=off` never calls npm; `LUDOTHEQUE_WEB=on` fails the build
//! if the pages can't be built.
//!
//! All profiles share a cache in the target folder: packages are installed once per lock file, pages are built once per
//! state of the sources.

use std::error::Error;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Sources of the pages, in `web/`.
const SOURCES: [&str; 9] = [
    ".npmrc",
    "docs.html",
    "kinds.html",
    "package-lock.json",
    "package.json",
    "playground.html",
    "src",
    "tsconfig.json",
    "vite.config.ts",
];

/// Timeouts. A slow network may take minutes to install the packages.
const INSTALL_TIMEOUT: Duration = Duration::from_mins(5);
const BUILD_TIMEOUT: Duration = Duration::from_mins(2);

/// Arguments of npm: no development packages, no install scripts, short timeouts.
const NPM_ARGUMENTS: [&str; 6] =
    ["ci", "--omit=dev", "--ignore-scripts", "--prefer-offline", "--fetch-retries=1", "--fetch-timeout=30000"];

fn main() -> Result<()> {
    println!("cargo::rerun-if-env-changed=LUDOTHEQUE_WEB");
    for source in SOURCES {
        println!("cargo::rerun-if-changed=web/{source}");
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let bundle = out.join("bundle");
    if bundle.exists() {
        fs::remove_dir_all(&bundle)?;
    }
    let mode = env::var("LUDOTHEQUE_WEB").unwrap_or_default();
    if mode != "off"
        && let Err(why) = pages(&out, &bundle)
    {
        if mode == "on" {
            return Err(why);
        }
        println!("cargo::warning=built without the playground and the docs: {why}");
    }
    Ok(fs::write(out.join("bundle.rs"), listing(&bundle)?)?)
}

/// Builds the pages, unless the cache has them, and copies them to `bundle`.
fn pages(out: &Path, bundle: &Path) -> Result<()> {
    let sources = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("web");
    let shared = cache_folder(out);
    fs::create_dir_all(&shared)?;
    let lock = File::create(shared.join("lock"))?;
    poll_until(INSTALL_TIMEOUT + BUILD_TIMEOUT, || Ok(lock.try_lock().is_ok().then_some(())))
        .map_err(|_| "another build holds the lock for too long")?;
    let state = fingerprint(&sources, &SOURCES)?;
    if fs::read_to_string(shared.join("built")).ok().as_ref() != Some(&state) {
        build(&sources, &shared)?;
        fs::write(shared.join("built"), state)?;
    }
    Ok(copy(&shared.join("dist"), bundle)?)
}

/// The cache of all builds: in cargo's target folder, which contains `CACHEDIR.TAG`, or else in `out`.
fn cache_folder(out: &Path) -> PathBuf {
    let target = out.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
    target.unwrap_or(out).join("web")
}

fn build(sources: &Path, shared: &Path) -> Result<()> {
    let _missing = fs::remove_file(shared.join("built"));
    for source in SOURCES {
        let copied = shared.join(source);
        let _missing = if copied.is_dir() { fs::remove_dir_all(&copied) } else { fs::remove_file(&copied) };
        copy(&sources.join(source), &copied)?;
    }
    let locked = fingerprint(sources, &["package-lock.json"])?;
    let installed = shared.join("node_modules/.installed");
    if fs::read_to_string(&installed).ok().as_ref() != Some(&locked) {
        run(Command::new("npm").args(NPM_ARGUMENTS), shared, INSTALL_TIMEOUT)?;
        fs::write(&installed, locked)?;
    }
    run(Command::new("node").args(["node_modules/vite/bin/vite.js", "build"]), shared, BUILD_TIMEOUT)
}

/// Runs a program with a timeout. Its output goes to a file; the error quotes its error lines.
fn run(command: &mut Command, folder: &Path, timeout: Duration) -> Result<()> {
    let output = folder.join("output");
    let name = command.get_program().to_string_lossy().into_owned();
    // Cargo sets DEBUG, which makes JavaScript tools log verbosely.
    command.current_dir(folder).env_remove("DEBUG").env("NO_COLOR", "1").stdin(Stdio::null());
    let log = File::create(&output)?;
    let child = command.stdout(log.try_clone()?).stderr(log).spawn();
    let mut child = child.map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("{name} is not installed"),
        _ => format!("{name} can't be started: {error}"),
    })?;
    let ended = poll_until(timeout, || child.try_wait());
    let Ok(status) = ended else {
        // Both fail only if it has ended meanwhile.
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("{name} took longer than {} seconds", timeout.as_secs()).into());
    };
    if status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&fs::read(output)?).into_owned();
    let errors = text.lines().filter(|line| line.to_lowercase().contains("error")).take(4).collect::<Vec<_>>();
    Err(format!("{name} failed ({status}): {}", errors.join(" / ")).into())
}

/// Polls until there is a value, or the timeout is over.
fn poll_until<T>(timeout: Duration, mut poll: impl FnMut() -> io::Result<Option<T>>) -> io::Result<T> {
    let start = Instant::now();
    loop {
        match poll()? {
            Some(value) => return Ok(value),
            None if start.elapsed() > timeout => return Err(ErrorKind::TimedOut.into()),
            None => thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// Hash of the files and of this build script.
fn fingerprint(folder: &Path, entries: &[&str]) -> io::Result<String> {
    let mut hasher = DefaultHasher::new();
    include_str!("build.rs").hash(&mut hasher);
    for path in entries.iter().map(|entry| files(&folder.join(entry))).collect::<io::Result<Vec<_>>>()?.concat() {
        path.strip_prefix(folder).expect("listed from this folder").hash(&mut hasher);
        fs::read(&path)?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// All files below a folder, sorted; of a file, itself.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries.iter().map(|entry| files(entry)).collect::<io::Result<Vec<_>>>()?.concat())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for file in files(from)? {
        let copied = match file.strip_prefix(from) {
            Ok(rest) if rest.as_os_str().is_empty() => to.to_owned(),
            Ok(rest) => to.join(rest),
            Err(_) => unreachable!("listed from this folder"),
        };
        fs::create_dir_all(copied.parent().expect("it is in a folder"))?;
        fs::copy(&file, &copied)?;
    }
    Ok(())
}

/// The bundle as Rust source: a slice of files, plain and gzip, each with a content hash. Empty without a bundle.
fn listing(bundle: &Path) -> io::Result<String> {
    let all = if bundle.exists() { files(bundle)? } else { Vec::new() };
    let plain = all.iter().filter(|file| file.extension().is_none_or(|extension| extension != "gz"));
    let rows = plain.map(|file| {
        let path = file.strip_prefix(bundle).expect("listed from this folder").display();
        let mut hasher = DefaultHasher::new();
        fs::read(file)?.hash(&mut hasher);
        let tag = hasher.finish();
        let bytes = |end: &str| format!(r#"include_bytes!(concat!(env!("OUT_DIR"), "/bundle/{path}{end}"))"#);
        let (plain, gzip) = (bytes(""), bytes(".gz"));
        Ok(format!("    File {{ path: \"{path}\", tag: \"{tag:016x}\", plain: {plain}, gzip: {gzip} }},\n"))
    });
    Ok(format!("&[\n{}]\n", rows.collect::<io::Result<String>>()?))
}
