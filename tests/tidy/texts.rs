//! What no text of ours says: that something is left to be done, where somebody's home folder is, or the address of a
//! host that nobody can vouch for.

use crate::Finding;
use crate::repository::Text;

/// In two pieces, so that this file does not refuse itself.
const PUT_OFF: [&str; 4] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X:"), concat!("HA", "CK:")];
const MACHINES: [&str; 6] = [
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("/t", "mp/"),
    concat!("/wo", "rk/"),
    concat!("/o", "pt/"),
];

/// Our own addresses, the names of docker-compose.yml, and those that name a standard.
const HOSTS: [&str; 10] = [
    "127.0.0.1",
    "[::1]",
    "localhost",
    "ludotheque",
    "primary",
    "json-schema.org",
    "spec.openapis.org",
    "www.apache.org",
    "www.rfc-editor.org",
    "www.w3.org",
];

/// Domains that stand for any (RFC 2606).
const EXAMPLES: [&str; 3] = ["example", "example.com", "example.org"];

/// How a lock file calls the registry that everybody's cargo knows without being told.
const DEFAULT_REGISTRY: &str = concat!("registry+https:", "//github.com/rust-lang/crates.io-index");

pub fn put_off(text: &Text) -> Vec<Finding> {
    lines_with(text, &PUT_OFF, "do it, or open an issue")
}

pub fn machine_paths(text: &Text) -> Vec<Finding> {
    lines_with(text, &MACHINES, "that path is on one machine only; use a relative one, or tempfile")
}

fn lines_with(text: &Text, unwanted: &[&str], instead: &str) -> Vec<Finding> {
    let lines = (1..).zip(text.text.lines());
    let found = lines.flat_map(|(number, line)| {
        let words = unwanted.iter().filter(move |word| line.contains(**word));
        words.map(move |word| (number, *word))
    });
    found.map(|(line, word)| format!("{}:{line}: {word}: {instead}", text.path)).collect()
}

pub fn hosts(text: &Text) -> Vec<Finding> {
    let lines = (1..).zip(text.text.lines());
    let found = lines.flat_map(|(number, line)| addresses(line).map(move |host| (number, host)));
    let unknown = found.filter(|(_, host)| !is_known(host));
    let instead = "only hosts in HOSTS may be named, and a package registry never is";
    unknown.map(|(line, host)| format!("{}:{line}: {host}: {instead}", text.path)).collect()
}

/// The hosts of the addresses in a line.
fn addresses(line: &str) -> impl Iterator<Item = &str> {
    line.split("://").skip(1).map(|rest| {
        // A name and a password may stand before it.
        let whole = rest.split(['/', ' ', '"', '\'', '`', '<', ')']).next().unwrap_or_default();
        let rest = whole.rfind('@').map_or(rest, |at| &rest[at + 1..]);
        let end = match rest.find(']') {
            Some(bracket) if rest.starts_with('[') => bracket + 1,
            _ => rest.find(|c: char| !(c.is_alphanumeric() || "-._{}$".contains(c))).unwrap_or(rest.len()),
        };
        rest[..end].trim_end_matches('.')
    })
}

/// Known, made for examples, or filled in when the program runs.
fn is_known(host: &str) -> bool {
    let filled_in = host.is_empty() || host.starts_with(['{', '$']);
    let is_example = |domain: &str| host.strip_suffix(domain).is_some_and(|sub| sub.is_empty() || sub.ends_with('.'));
    filled_in || EXAMPLES.iter().any(|domain| is_example(domain)) || HOSTS.contains(&host)
}

/// The packages of a lock file: name and, unless it is our own, source.
pub fn packages(lock: &str) -> Vec<(String, Option<String>)> {
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    let packages = lock.split("[[package]]\n").skip(1);
    packages.filter_map(|package| Some((value(package, "name")?, value(package, "source")))).collect()
}

/// A package that is locked to a source of its own. Those of this workspace alone are locked to none.
pub fn from_elsewhere((name, source): &(String, Option<String>), ours: &[String]) -> Option<Finding> {
    let known = match source {
        None => ours.contains(name),
        Some(source) => source == DEFAULT_REGISTRY,
    };
    (!known).then(|| format!("Cargo.lock: {name} is locked to a source of its own; take it from the default registry"))
}

/// Packages of npm's lock file that are locked to an address: without one, everybody's npm asks its own registry.
pub fn with_an_address(lock: &Text) -> Vec<Finding> {
    lines_with(lock, &["\"resolved\":"], "install with the .npmrc beside it, which leaves addresses out")
}

/// A file whose name has more in it than letters, digits and a few marks: nobody gave it that name on purpose.
pub fn odd_name(text: &Text) -> Option<Finding> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/".contains(letter);
    (!text.path.chars().all(is_plain)).then(|| format!("{:?}: remove it, or name it plainly", text.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text {
        Text { path: "README.md".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn work_that_was_put_off_is_found() {
        assert_eq!(put_off(&text(&format!("fine\n// {} later", PUT_OFF[0]))).len(), 1);
        assert!(put_off(&text("all done")).is_empty());
    }

    #[test]
    fn a_path_of_one_machine_is_found() {
        for machine in MACHINES {
            let found = machine_paths(&text(&format!("cd {machine}ada")));
            assert!(found[0].starts_with("README.md:1: "), "{found:?}");
        }
        assert!(machine_paths(&text("cd ./data && ls crates/rules/")).is_empty());
    }

    #[test]
    fn a_file_that_nobody_named_is_found() {
        let named = |path: &str| Text { path: path.to_owned(), text: String::new() };
        assert!(odd_name(&named("failures: ...")).is_some());
        assert!(odd_name(&named(".ci/run")).is_none() && odd_name(&named("docs/a-b_c.md")).is_none());
    }

    /// An address, written so that this file names no host.
    fn address(host: &str) -> String {
        ["https:", "//", host].concat()
    }

    #[test]
    fn an_unknown_host_is_found() {
        let [mirror, git] = ["mirror.invalid/crates", "git.invalid."].map(address);
        let found = hosts(&text(&format!("see http://127.0.0.1:8080/v1 and\n{mirror} or {git}")));
        let named: Vec<_> = found.iter().map(|finding| finding.split(": ").nth(1).unwrap_or_default()).collect();
        assert_eq!(named, ["mirror.invalid", "git.invalid"]);
        assert!(hosts(&text("http://{address}/v1, $SCHEME://$HOST, https://evil.example/jwks.json")).is_empty());
        assert!(hosts(&text("http://[::1]:8080/v1, https://play.example.org")).is_empty());
        for unknown in ["[::2]/v1", "anexample.org"] {
            assert_eq!(hosts(&text(&address(unknown))).len(), 1, "{unknown}");
        }
    }

    #[test]
    fn an_npm_package_with_an_address_is_found() {
        assert_eq!(with_an_address(&text("\"node_modules/a\": {\n  \"resolved\": \"somewhere\"\n}")).len(), 1);
        assert!(with_an_address(&text("\"node_modules/resolved\": {}")).is_empty());
    }

    #[test]
    fn a_package_from_elsewhere_is_found() {
        let package = |name: &str, rest: &str| format!("[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n{rest}\n");
        let source = |source: &str| format!("source = \"{source}\"\n");
        let mirror = source(&["registry+", &address("mirror.invalid/index")].concat());
        let lock = [
            package("ludotheque", ""),
            package("ludotheque-rules", ""),
            package("default", &source(DEFAULT_REGISTRY)),
            package("mirrored", &mirror),
            package("local", ""),
        ];
        let ours = ["ludotheque", "ludotheque-rules"].map(str::to_owned);
        let found: Vec<_> =
            packages(&lock.concat()).iter().filter_map(|package| from_elsewhere(package, &ours)).collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("mirrored") && found[1].contains("local"), "{found:?}");
    }
}
