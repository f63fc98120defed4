//! The documents are true where a program can tell: links lead somewhere, docs/settings.md lists the settings and commands
//! that there are, the examples of docs/integrating.md run, and ARCHITECTURE.md stays a map of folders that fits on a few
//! pages.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ludotheque");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[track_caller]
fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every Markdown file of ours, from the root.
fn documents() -> Vec<String> {
    let mut found = Vec::new();
    collect(Path::new(""), &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<String>) {
    /// Made by building or running.
    const NOT_OURS: [&str; 5] = [".git", "target", "data", "node_modules", "dist"];
    for entry in fs::read_dir(root().join(folder)).expect("a folder that can be listed") {
        let entry = entry.expect("a folder that can be listed");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = folder.join(&name);
        if entry.path().is_dir() {
            if !NOT_OURS.contains(&name.as_str()) {
                collect(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path.to_string_lossy().into_owned());
        }
    }
}

/// The text without fenced blocks and code spans, where nothing is a link or a heading. Lines stay where they are.
fn prose(markdown: &str) -> String {
    let mut fenced = false;
    let lines = markdown.lines().map(|line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        if fenced || is_fence { "" } else { line }
    });
    let mut plain = String::new();
    for line in lines {
        // Every second part is code; one without an end is none.
        let parts: Vec<_> = line.split('`').collect();
        let whole = parts.len() % 2 == 1;
        let kept = parts.iter().enumerate().filter(|(index, _)| !whole || index % 2 == 0);
        plain.extend(kept.map(|(_, part)| *part));
        plain.push('\n');
    }
    plain
}

/// The targets of the links in a text, each with its line.
fn links(markdown: &str) -> Vec<(usize, String)> {
    let text = prose(markdown);
    let lines = (1..).zip(text.lines());
    let found = lines.flat_map(|(number, line)| {
        let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        targets.map(move |(target, _)| (number, target.split(' ').next().unwrap_or_default().to_owned()))
    });
    found.collect()
}

/// The anchors that code hostings make of a document's headings.
fn anchors(markdown: &str) -> Vec<String> {
    let mut fenced = false;
    let headings = markdown.lines().filter(|line| {
        fenced ^= line.trim_start().starts_with("```");
        !fenced && line.starts_with('#')
    });
    let mut seen = BTreeMap::<String, usize>::new();
    let anchors = headings.map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let slug = kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>();
        let times = seen.entry(slug.clone()).or_default();
        *times += 1;
        if *times == 1 { slug } else { format!("{slug}-{}", *times - 1) }
    });
    anchors.collect()
}

/// Why a link of a document leads nowhere, if it does. Links to other hosts are not followed.
fn broken(document: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = Path::new(document).parent().expect("a file is in a folder");
    let to = if path.is_empty() { Some(PathBuf::from(document)) } else { plain(&folder.join(path)) };
    let Some(to) = to else { return Some(format!("{target} leaves the repository")) };
    let full = root().join(&to);
    if !full.exists() {
        return Some(format!("{target} does not exist"));
    }
    if anchor.is_empty() || full.is_dir() {
        return None;
    }
    let there = fs::read_to_string(full).map_or_else(|_| Vec::new(), |text| anchors(&text));
    (!there.iter().any(|known| known == anchor)).then(|| format!("{target} names no heading; there are {there:?}"))
}

/// A path without `..`; nothing if it leaves the folder that it is in.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => plain.pop().then_some(())?,
            Component::Normal(name) => plain.push(name),
            _ => {}
        }
    }
    Some(plain)
}

#[test]
fn every_link_leads_somewhere() {
    let documents = documents();
    for known in ["README.md", "ARCHITECTURE.md", "docs/README.md", "docs/settings.md"] {
        assert!(documents.iter().any(|document| document == known), "{known} is not among {documents:?}");
    }
    let mut followed = 0;
    let mut findings = Vec::new();
    for document in &documents {
        for (line, target) in links(&read(document)) {
            followed += 1;
            findings.extend(broken(document, &target).map(|why| format!("{document}:{line}: {why}")));
        }
    }
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
    assert!(followed > 30, "only {followed} links were found");
}

#[test]
fn every_document_is_in_the_index() {
    let index = links(&read("docs/README.md"));
    for document in documents().iter().filter_map(|path| path.strip_prefix("docs/")) {
        let listed = document == "README.md" || index.iter().any(|(_, target)| target == document);
        assert!(listed, "docs/README.md does not list {document}");
    }
}

#[test]
fn the_map_is_short_and_names_folders_that_are_there() {
    let map = read("ARCHITECTURE.md");
    assert!(map.lines().count() <= 150, "ARCHITECTURE.md has {} lines", map.lines().count());
    for (number, line) in (1..).zip(map.lines()) {
        assert!(line.chars().count() <= 130, "ARCHITECTURE.md:{number} has {} letters", line.chars().count());
    }
    let code: Vec<_> = map.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).collect();
    for named in &code {
        assert!(
            Path::new(named).extension().is_none_or(|ending| ending != "rs"),
            "ARCHITECTURE.md names the file {named}; name its folder"
        );
        assert!(!named.ends_with('/') || root().join(named).is_dir(), "ARCHITECTURE.md: there is no folder {named}");
    }
    for parent in ["src", "crates"] {
        for entry in fs::read_dir(root().join(parent)).expect("a folder that can be listed") {
            let path = entry.expect("a folder that can be listed").path();
            let folder = format!("{parent}/{}/", path.file_name().expect("a name").to_string_lossy());
            assert!(!path.is_dir() || code.contains(&folder.as_str()), "ARCHITECTURE.md does not name {folder}");
        }
    }
}

#[test]
fn the_readmes_are_short() {
    for readme in ["README.md", "README.fr.md"] {
        let lines = read(readme).lines().count();
        assert!(lines <= 200, "{readme} has {lines} lines; move what not every reader needs to docs/");
    }
}

/// What `--help` says of a setting.
#[derive(Debug, PartialEq)]
struct Setting {
    variable: String,
    default: Option<String>,
}

/// The program's help, as it is without any setting.
fn help(arguments: &[&str]) -> String {
    let mut program = Command::new(PROGRAM);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("LUDOTHEQUE_")) {
        program.env_remove(name);
    }
    let output = program.args(arguments).arg("--help").output().expect("the program starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The settings in a help text, by their flags.
fn settings_in(help: &str) -> BTreeMap<String, Setting> {
    let mut blocks = Vec::<(String, String)>::new();
    for line in help.lines() {
        // Descriptions are indented further, and one of their lines may begin with another setting's flag.
        let is_heading = line.len() - line.trim_start().len() <= 6 && line.trim_start().starts_with('-');
        let flag = line.split_whitespace().find(|word| is_heading && word.starts_with("--"));
        match (flag, blocks.last_mut()) {
            (Some(flag), _) => blocks.push((flag.trim_end_matches(',').to_owned(), format!("{} ", line.trim()))),
            (None, Some((_, text))) => text.extend([line.trim(), " "]),
            (None, None) => {}
        }
    }
    let told = |text: &str, what: &str| {
        let (_, rest) = text.split_once(&format!("[{what}: "))?;
        Some(rest.split([']', '=']).next()?.trim().to_owned())
    };
    let settings = blocks.into_iter().filter_map(|(flag, text)| {
        Some((flag, Setting { variable: told(&text, "env")?, default: told(&text, "default") }))
    });
    settings.collect()
}

/// The rows of the tables that begin with a flag: flag, variable, default.
fn settings_listed(page: &str) -> BTreeMap<String, Setting> {
    let rows = page.lines().filter(|line| line.starts_with("| `--")).map(|line| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [flag, variable, default, meaning] = cells[..] else { panic!("four cells: {line}") };
        assert!(meaning.len() > 10, "no meaning: {line}");
        let code = |cell: &str| Some(cell.strip_prefix('`')?.strip_suffix('`')?.to_owned());
        let variable = code(variable).unwrap_or_else(|| panic!("a variable: {line}"));
        (code(flag).unwrap_or_else(|| panic!("a flag: {line}")), Setting { variable, default: code(default) })
    });
    rows.collect()
}

#[test]
fn the_settings_listed_are_those_of_the_program() {
    let page = read("docs/settings.md");
    let mut there = settings_in(&help(&[]));
    assert!(there.len() > 30, "only {} settings were found", there.len());
    // Only a build with the feature has it; the page says so below the tables.
    let traces = "--otlp-endpoint";
    assert!(page.contains(traces));
    there.remove(traces);
    assert_eq!(settings_listed(&page), there, "docs/settings.md on the left, --help on the right");
}

/// The commands in a help text.
fn commands_in(help: &str) -> Vec<String> {
    let section = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // What is indented further goes on with the description of the line before.
    let names = section.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

#[test]
fn every_command_is_listed() {
    let page = read("docs/settings.md");
    let commands = commands_in(&help(&[]));
    assert!(commands.len() > 10, "{commands:?}");
    for command in commands {
        let parts = commands_in(&help(&[&command]));
        let whole = |part: &String| format!("ludotheque {command} {part}");
        let names =
            if parts.is_empty() { vec![format!("ludotheque {command}")] } else { parts.iter().map(whole).collect() };
        for name in names {
            assert!(page.contains(&name), "docs/settings.md does not list `{name}`");
        }
    }
}

#[test]
fn a_link_that_leads_nowhere_is_noticed() {
    for target in ["nothing.md", "../README.md#nothing", "#nothing", "../../outside.md"] {
        assert!(broken("docs/settings.md", target).is_some(), "{target}");
    }
    for target in ["../README.md", "limits.md", "#settings", "https://example.org/nothing"] {
        assert_eq!(broken("docs/settings.md", target), None, "{target}");
    }
    let text = "[a](x.md) `[b](y.md)` [c](z.md#d \"title\")\n```\n[e](f.md)\n# no heading\n```\n## What, `this`?\n## What this";
    assert_eq!(links(text), [(1, "x.md".to_owned()), (1, "z.md#d".to_owned())]);
    assert_eq!(anchors(text), ["what-this", "what-this-1"]);
}

#[test]
fn settings_are_read_from_the_help_and_the_page_alike() {
    let help = "Options:\n      --listen <LISTEN>\n          Where\n\n          [env: A_LISTEN=]\n          [default: 1:2]\n\n  \
                    -q, --quiet  Says nothing [env: A_QUIET=]\n  -h, --help  Print help\n";
    let page = "| flag | variable | default | meaning |\n| `--listen` | `A_LISTEN` | `1:2` | an address and port |\n\
                | `--quiet` | `A_QUIET` | off | says nothing at all |\n";
    let listen = Setting { variable: "A_LISTEN".to_owned(), default: Some("1:2".to_owned()) };
    let quiet = Setting { variable: "A_QUIET".to_owned(), default: None };
    let both = BTreeMap::from([("--listen".to_owned(), listen), ("--quiet".to_owned(), quiet)]);
    assert_eq!(settings_in(help), both);
    assert_eq!(settings_listed(page), both);
}

/// A server in a folder of its own, until dropped.
struct Server {
    process: Child,
    address: String,
    folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut program = Command::new(PROGRAM);
        program.args(["--listen", "127.0.0.1:0", "--log", "warn", "--data"]).arg(folder.path().join("data"));
        let mut process = program.stdout(Stdio::piped()).spawn().expect("the program starts");
        let said = BufReader::new(process.stdout.take().expect("a pipe")).lines().next();
        let said = said.expect("the server says where it listens").expect("text");
        let address = said.split_whitespace().find(|word| word.starts_with("http://")).expect("an address");
        let address = address.trim_end_matches('.').to_owned();
        Self { process, address, folder }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The fenced blocks of a language.
fn blocks<'a>(markdown: &'a str, language: &str) -> Vec<&'a str> {
    let parts = markdown.split("\n```").skip(1).step_by(2);
    parts.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).collect()
}

#[test]
fn the_examples_for_integrators_run() {
    /// What the shell examples say, but for numbers that may differ, and then those in JavaScript.
    const SAID: [&str; 18] = [
        "Ada",
        "the same refresh token",
        "LOBBY",
        "ACTIVE",
        "ACTIVE",
        "ILLEGAL_MOVE",
        "played once",
        "id: 4",
        "id: 5",
        "ratelimit-policy: ",
        "ratelimit: ",
        "304",
        "ACTIVE",
        "1 CREATED, SAT_DOWN",
        "2 SAT_DOWN",
        "3 STARTED, ",
        "4 CHOSE",
        "5 CHOSE",
    ];
    const ADDRESS: &str = "http://127.0.0.1:8080";
    let page = read("docs/integrating.md");
    let server = Server::start();
    let mut script = blocks(&page, "sh").join("\n");
    assert!(script.contains(ADDRESS), "{script}");
    script = script.replace(ADDRESS, &server.address);
    // Those that need a package are run by tests/conformance in much the same words.
    let plain: Vec<_> = blocks(&page, "js").into_iter().filter(|block| !block.starts_with("// npm install")).collect();
    let [session, follow, issue] = plain[..] else { panic!("{} examples without a package", plain.len()) };
    for (name, text) in [("session.mjs", session), ("follow.mjs", follow), ("issue.mjs", issue)] {
        fs::write(server.folder.path().join(name), text).expect("written");
    }
    script += "\nnode session.mjs\nnode follow.mjs\nnode issue.mjs > token.txt\n";
    script += "'";
    script += PROGRAM;
    script += "' issuers check --issuers issuers.json < token.txt >&2\n";
    let mut bash = Command::new("timeout");
    bash.args(["120", "bash", "-e", "-c", &script]).current_dir(server.folder.path());
    let output = bash.output().expect("bash is there");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}\n{said}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), SAID.len(), "{said}");
    for (line, begins) in lines.iter().zip(SAID) {
        assert!(line.starts_with(begins), "{line:?} does not begin with {begins:?}\n{said}");
    }
}
