//! The texts are whole: every key the code speaks of exists in every language, with the same gaps.

use ludotheque::codes::Code;
use ludotheque::rules::catalog::BUILT_IN;
use ludotheque::texts::{Language, all_folders};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

type Gaps = BTreeSet<String>;

/// The messages of a file by key, each with the names of its gaps.
fn messages(text: &str) -> BTreeMap<String, Gaps> {
    let mut messages: BTreeMap<String, Gaps> = BTreeMap::new();
    let mut key = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some((start, _)) = line.split_once(" =").filter(|_| line.starts_with(|c: char| c.is_ascii_lowercase())) {
            start.clone_into(&mut key);
            assert!(messages.insert(key.clone(), Gaps::new()).is_none(), "{key} is there twice");
        }
        let names = line.split('$').skip(1).map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next());
        if let Some(gaps) = messages.get_mut(&key) {
            gaps.extend(names.flatten().map(str::to_owned));
        }
    }
    messages
}

fn all(language: Language) -> BTreeMap<String, Gaps> {
    all_folders(BUILT_IN).iter().flat_map(|folder| messages(folder.text(language))).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let rust = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rust.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

#[test]
fn both_languages_have_the_same_messages_with_the_same_gaps() {
    let (en, fr) = (all(Language::En), all(Language::Fr));
    assert_eq!(en, fr);
    assert!(en["player-username-length"].contains("max"), "the gaps are found: {en:?}");
}

#[test]
fn every_code_has_a_title_and_says_what_to_do() {
    let texts = all(Language::En);
    for code in Code::ALL {
        let title = format!("error-{}", code.kebab());
        for key in [format!("{title}-detail"), title] {
            assert!(texts.contains_key(&key), "{key}");
        }
    }
    let titles = texts.keys().filter(|key| key.starts_with("error-") && !key.ends_with("-detail"));
    assert_eq!(titles.count(), Code::ALL.len(), "a text for a code that does not exist");
}

/// The texts in the code that look like a key: `"player-…"` if there is any key that starts with `player-`.
fn keys_in(code: &str, topics: &BTreeSet<&str>) -> Vec<String> {
    let quoted = code.split('"').filter(|text| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)));
    let keys = quoted
        .filter(|text| text.split_once('-').is_some_and(|(topic, rest)| topics.contains(topic) && !rest.is_empty()));
    keys.map(str::to_owned).collect()
}

#[test]
fn every_key_written_in_the_code_exists() {
    let texts = all(Language::En);
    let topics: BTreeSet<_> = texts.keys().filter_map(|key| Some(key.split_once('-')?.0)).collect();
    let mut seen = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["src", "crates/rules/src"].iter().flat_map(|folder| sources(&root.join(folder))) {
        let code = fs::read_to_string(&file).unwrap();
        let code = code.split("#[cfg(test)]").next().expect("the first part");
        for key in keys_in(code, &topics) {
            assert!(texts.contains_key(&key), "{key} in {}", file.display());
            seen.insert(key);
        }
    }
    let unused: Vec<_> = texts
        .keys()
        .filter(|key| {
            ["player-", "game-", "request-"].iter().any(|topic| key.starts_with(topic)) && !seen.contains(*key)
        })
        .collect();
    assert!(unused.is_empty(), "nobody says {unused:?}");
}

#[test]
fn the_keys_of_a_kind_start_with_its_slug() {
    for folder in all_folders(BUILT_IN).iter().filter(|folder| folder.name != "service") {
        for key in messages(folder.sentences.en).keys() {
            assert!(key.starts_with(&format!("{}-", folder.name)), "{key} in content/{}", folder.name);
        }
    }
}

#[test]
fn no_sentence_is_in_two_languages_the_same_by_oversight() {
    for folder in all_folders(BUILT_IN) {
        let english: BTreeSet<_> = folder.sentences.en.lines().filter(|line| line.contains("-detail =")).collect();
        let copied: Vec<_> = folder.sentences.fr.lines().filter(|line| english.contains(line)).collect();
        assert!(copied.is_empty(), "{}: {copied:?}", folder.name);
    }
}
