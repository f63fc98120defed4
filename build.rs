//! Builds the pages in `web/` with npm, for `src/web` to embed.
//!
//! Nothing here may fail a build, hold it up for ever or repeat what is done already: where npm is missing or fails, the
//! server is built without pages and says so where they would be. `LUDOTHEQUE_WEB` says otherwise: `off` never calls
//! npm, `on` fails the build where the pages can't be had.
//!
//! All profiles and commands share one folder in the target folder, in which packages are installed once per lock file
//! and pages built once per state of the sources; each takes its own copy from there.

use std::error::Error;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What the pages are made of, in `web/`.
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

/// A slow network may take minutes; one that answers nothing is not waited for any longer.
const INSTALLING: Duration = Duration::from_mins(5);
const BUILDING: Duration = Duration::from_mins(2);

/// What npm is told: nothing but what the bundle is made of, no scripts of packages, and little patience.
const INSTALL: [&str; 6] =
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
    let wish = env::var("LUDOTHEQUE_WEB").unwrap_or_default();
    if wish != "off"
        && let Err(why) = pages(&out, &bundle)
    {
        if wish == "on" {
            return Err(why);
        }
        println!("cargo::warning=built without the playground and the docs: {why}");
    }
    Ok(fs::write(out.join("bundle.rs"), listing(&bundle)?)?)
}

/// Puts the pages into the folder for them.
fn pages(out: &Path, bundle: &Path) -> Result<()> {
    let sources = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("web");
    let shared = shared(out);
    fs::create_dir_all(&shared)?;
    let lock = File::create(shared.join("lock"))?;
    within(INSTALLING + BUILDING, || Ok(lock.try_lock().is_ok().then_some(()))).map_err(|_| "another build hangs")?;
    let state = fingerprint(&sources, &SOURCES)?;
    if fs::read_to_string(shared.join("built")).ok().as_ref() != Some(&state) {
        build(&sources, &shared)?;
        fs::write(shared.join("built"), state)?;
    }
    Ok(copy(&shared.join("dist"), bundle)?)
}

/// The folder that all builds share: beside the tag that cargo leaves in its target folder, or else our own.
fn shared(out: &Path) -> PathBuf {
    let target = out.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
    target.unwrap_or(out).join("web")
}

fn build(sources: &Path, shared: &Path) -> Result<()> {
    let _gone_already = fs::remove_file(shared.join("built"));
    for source in SOURCES {
        let copied = shared.join(source);
        let _not_there = if copied.is_dir() { fs::remove_dir_all(&copied) } else { fs::remove_file(&copied) };
        copy(&sources.join(source), &copied)?;
    }
    let locked = fingerprint(sources, &["package-lock.json"])?;
    let installed = shared.join("node_modules/.installed");
    if fs::read_to_string(&installed).ok().as_ref() != Some(&locked) {
        run(Command::new("npm").args(INSTALL), shared, INSTALLING)?;
        fs::write(&installed, locked)?;
    }
    run(Command::new("node").args(["node_modules/vite/bin/vite.js", "build"]), shared, BUILDING)
}

/// Runs a program, for as long as it may take; what it says is kept in a file, and told if it fails.
fn run(command: &mut Command, folder: &Path, patience: Duration) -> Result<()> {
    let said = folder.join("said");
    let name = command.get_program().to_string_lossy().into_owned();
    // Cargo's DEBUG is no business of theirs: to them it means to talk a lot.
    command.current_dir(folder).env_remove("DEBUG").env("NO_COLOR", "1").stdin(Stdio::null());
    let log = File::create(&said)?;
    let child = command.stdout(log.try_clone()?).stderr(log).spawn();
    let mut child = child.map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("{name} is not on this machine"),
        _ => format!("{name} can't be started: {error}"),
    })?;
    let ended = within(patience, || child.try_wait());
    let Ok(status) = ended else {
        // Both fail only if it has ended by now.
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("{name} took longer than {} seconds", patience.as_secs()).into());
    };
    if status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&fs::read(said)?).into_owned();
    let errors = words.lines().filter(|line| line.to_lowercase().contains("error")).take(4).collect::<Vec<_>>();
    Err(format!("{name} failed ({status}): {}", errors.join(" / ")).into())
}

/// Asks again and again until there is an answer, or no time left.
fn within<T>(patience: Duration, mut ask: impl FnMut() -> io::Result<Option<T>>) -> io::Result<T> {
    let start = Instant::now();
    loop {
        match ask()? {
            Some(answer) => return Ok(answer),
            None if start.elapsed() > patience => return Err(ErrorKind::TimedOut.into()),
            None => thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// A short text that differs when any of the files does, or the way they are built.
fn fingerprint(folder: &Path, entries: &[&str]) -> io::Result<String> {
    let mut hasher = DefaultHasher::new();
    include_str!("build.rs").hash(&mut hasher);
    for path in entries.iter().map(|entry| files(&folder.join(entry))).collect::<io::Result<Vec<_>>>()?.concat() {
        path.strip_prefix(folder).expect("listed from this folder").hash(&mut hasher);
        fs::read(&path)?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// All files of a folder, however deep, in order; a file is the only one of itself.
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

/// The bundle as Rust: a slice of files, each with a tag of its content, plain and compressed. Empty, if there is none.
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
