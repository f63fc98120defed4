//! The files of the repository.

use crate::source::Source;
use std::fs;
use std::path::{Path, PathBuf};

/// Made by building or running, or not ours to word.
const NOT_OURS: [&str; 8] =
    [".git", "target", "data", "node_modules", "dist", "Cargo.lock", "package-lock.json", "LICENSE-APACHE"];

/// The repository, or a folder that a test made to look like one.
pub struct Repository(PathBuf);

/// A file that people read.
pub struct Text {
    /// From the repository's root.
    pub path: String,
    pub text: String,
}

impl Repository {
    pub fn here() -> Self {
        Self::at(Path::new(env!("CARGO_MANIFEST_DIR")))
    }

    pub fn at(root: &Path) -> Self {
        Self(root.to_owned())
    }

    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn has(&self, path: &str) -> bool {
        self.0.join(path).exists()
    }

    /// Everything in src and in the crate of the rules, parsed.
    pub fn sources(&self) -> Vec<Source> {
        let is_rust = |text: &Text| Path::new(&text.path).extension().is_some_and(|extension| extension == "rs");
        let texts = ["src", "crates/rules/src"].into_iter().flat_map(|folder| self.texts_in(folder)).filter(is_rust);
        texts.map(|text| Source::parse(&text.path, &text.text)).collect()
    }

    /// The names of the packages of the workspace.
    pub fn packages(&self) -> Vec<String> {
        let root = self.read("Cargo.toml");
        let members = root.split_once("members = [").and_then(|(_, rest)| rest.split_once(']')).expect("a workspace").0;
        let members = members.split(',').map(|member| member.trim().trim_matches('"')).filter(|path| !path.is_empty());
        let name = |manifest: String| {
            let name = manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
            name.expect("a package has a name").to_owned()
        };
        members.map(|member| name(self.read(&format!("{member}/Cargo.toml")))).collect()
    }

    /// Every file that is text.
    pub fn texts(&self) -> Vec<Text> {
        self.texts_in("")
    }

    /// The names of the folders in a folder.
    pub fn folders_in(&self, path: &str) -> Vec<String> {
        let folders = self.entries(path).into_iter().filter(|(_, path)| path.is_dir());
        folders.map(|(name, _)| name).collect()
    }

    fn texts_in(&self, path: &str) -> Vec<Text> {
        let mut texts = Vec::new();
        for (name, full) in self.entries(path).into_iter().filter(|(name, _)| !NOT_OURS.contains(&name.as_str())) {
            let path = if path.is_empty() { name } else { format!("{path}/{name}") };
            if full.is_dir() {
                texts.extend(self.texts_in(&path));
            } else if let Ok(text) = fs::read_to_string(&full) {
                texts.push(Text { path, text });
            }
        }
        texts
    }

    fn entries(&self, path: &str) -> Vec<(String, PathBuf)> {
        let entries = fs::read_dir(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let paths = entries.map(|entry| entry.expect("a folder that can be listed").path());
        let mut named: Vec<_> = paths
            .map(|path| (path.file_name().expect("an entry has a name").to_string_lossy().into_owned(), path))
            .collect();
        named.sort();
        named
    }
}
