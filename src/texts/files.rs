//! The only list of the text files that are built in.

use super::Language;

/// The texts of the service itself, or of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Folder {
    /// Under content/; for a kind, its slug.
    pub name: &'static str,
    pub en: &'static str,
    pub fr: &'static str,
}

impl Folder {
    pub fn text(&self, language: Language) -> &'static str {
        match language {
            Language::En => self.en,
            Language::Fr => self.fr,
        }
    }
}

macro_rules! folders {
    ($($name:literal),* $(,)?) => {
        &[$(Folder {
            name: $name,
            en: include_str!(concat!("../../content/", $name, "/en.ftl")),
            fr: include_str!(concat!("../../content/", $name, "/fr.ftl")),
        }),*]
    };
}

/// Everything that can be said. A kind adds its folder here.
pub const FOLDERS: &[Folder] = folders!["service", "chips", "loading", "santa_rescue", "toy_rush", "toys_go_go_go"];
