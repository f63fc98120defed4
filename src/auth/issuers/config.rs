//! Configuration of trusted issuers: a JSON file, read once when the server starts.
//!
//! ```json
//! [{
//!   "issuer": "https://backend.example",
//!   "audience": "ludotheque",
//!   "algorithms": ["EdDSA"],
//!   "jwksUrl": "https://backend.example/.well-known/jwks.json"
//! }]
//! ```
//!
//! `jwksFile` may replace `jwksUrl`: a path, relative to the file's folder. `maxLifetimeSeconds` is how long tokens may
//! last from issue to expiry, by default a day. `allowPasswords`, by default `false`, lets the issuer's users have a
//! password here, with which they can sign in even after the issuer has blocked them.

use super::source::Source;
use jsonwebtoken::Algorithm;
use serde::Deserialize;
use std::{collections::HashSet, fs, path::Path, time::Duration};

/// Longest `maxLifetimeSeconds`: revocations of tokens are stored until such a token has expired.
pub(crate) const LONGEST_LIFETIME: Duration = Duration::from_hours(30 * 24);
const DEFAULT_LIFETIME: Duration = Duration::from_hours(24);

/// Longest name of an issuer, in bytes; together with a `sub` it must fit into a key of the store.
const LONGEST_NAME: usize = 255;

/// An issuer whose tokens are accepted.
#[derive(Clone, Debug)]
pub struct TrustedIssuer {
    /// The exact value of `iss`.
    pub issuer: String,
    /// What `aud` must be, or contain.
    pub audience: String,
    /// Signature algorithms that its tokens may use.
    pub algorithms: Vec<Algorithm>,
    /// How long its tokens may last from issue to expiry.
    pub max_lifetime: Duration,
    /// Whether its users may have a password here, and so sign in without the issuer.
    pub allow_passwords: bool,
    pub(super) source: Source,
}

/// Why the file of issuers was refused.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {why}")]
pub struct IssuersError {
    file: String,
    why: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct IssuerEntry {
    issuer: String,
    audience: String,
    algorithms: Vec<Algorithm>,
    jwks_url: Option<String>,
    jwks_file: Option<String>,
    max_lifetime_seconds: Option<u64>,
    #[serde(default)]
    allow_passwords: bool,
}

/// Reads the file of trusted issuers. None may have our own name. Blocks.
pub fn read_issuers(file: &Path, own_issuer: &str) -> Result<Vec<TrustedIssuer>, IssuersError> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let read = || {
        let text = fs::read(file).map_err(|error| error.to_string())?;
        let entries: Vec<IssuerEntry> = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
        let mut names = HashSet::from([own_issuer.to_owned()]);
        let issuers = entries.into_iter().map(|entry| {
            let name = entry.issuer.clone();
            if !names.insert(name.clone()) {
                return Err(format!(
                    "issuer {name:?}: another of that name is listed, or it is this server's own issuer"
                ));
            }
            entry.check(folder).map_err(|why| format!("issuer {name:?}: {why}"))
        });
        issuers.collect::<Result<_, _>>()
    };
    read().map_err(|why| IssuersError { file: file.display().to_string(), why })
}

impl IssuerEntry {
    fn check(self, folder: &Path) -> Result<TrustedIssuer, String> {
        let IssuerEntry { issuer, audience, algorithms, jwks_url, jwks_file, max_lifetime_seconds, allow_passwords } =
            self;
        if issuer.is_empty() || issuer.len() > LONGEST_NAME || audience.is_empty() {
            return Err(format!("set issuer and audience; an issuer has at most {LONGEST_NAME} bytes"));
        }
        // With a shared secret, a party that can verify a token can also forge one.
        let symmetric = [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512];
        if algorithms.is_empty() || algorithms.iter().any(|algorithm| symmetric.contains(algorithm)) {
            return Err("set algorithms to one or more with a public key: EdDSA, ES256, RS256, PS256 …".to_owned());
        }
        let source = match (jwks_url, jwks_file) {
            (Some(url), None) => Source::url(&url)?,
            (None, Some(file)) => Source::File(folder.join(file)),
            _ => return Err("set either jwksUrl or jwksFile".to_owned()),
        };
        let max_lifetime = max_lifetime_seconds.map_or(DEFAULT_LIFETIME, Duration::from_secs);
        if max_lifetime.is_zero() || max_lifetime > LONGEST_LIFETIME {
            return Err(format!("set maxLifetimeSeconds to a number from 1 to {}", LONGEST_LIFETIME.as_secs()));
        }
        Ok(TrustedIssuer { issuer, audience, algorithms, max_lifetime, allow_passwords, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(entries: &Value) -> Result<Vec<TrustedIssuer>, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("issuers.json");
        fs::write(&file, entries.to_string()).unwrap();
        read_issuers(&file, "ludotheque").map_err(|error| error.to_string())
    }

    fn entry(change: &Value) -> Value {
        let mut entry = json!({"issuer": "them", "audience": "us", "algorithms": ["ES256"], "jwksFile": "them.json"});
        for (key, value) in change.as_object().unwrap() {
            entry[key] = value.clone();
        }
        entry
    }

    #[test]
    fn an_issuer_is_read_with_its_defaults() {
        let issuers = read(&json!([entry(&json!({})), entry(&json!({"issuer": "others"}))])).unwrap();
        assert_eq!(issuers.len(), 2);
        assert_eq!((&*issuers[0].issuer, &*issuers[0].audience), ("them", "us"));
        assert_eq!((&*issuers[0].algorithms, issuers[0].max_lifetime), (&[Algorithm::ES256][..], DEFAULT_LIFETIME));
        assert!(!issuers[0].allow_passwords);
        assert!(matches!(&issuers[0].source, Source::File(path) if path.ends_with("them.json") && path.is_absolute()));
    }

    #[test]
    fn what_can_not_be_trusted_is_refused_with_the_issuers_name() {
        let refused = [
            json!({"issuer": ""}),
            json!({"issuer": "x".repeat(256)}),
            json!({"issuer": "ludotheque"}),
            json!({"audience": ""}),
            json!({"algorithms": []}),
            json!({"algorithms": ["ES256", "HS256"]}),
            json!({"jwksFile": null}),
            json!({"jwksUrl": "https://them.example/jwks.json"}),
            json!({"jwksFile": null, "jwksUrl": "http://them.example/jwks.json"}),
            json!({"jwksFile": null, "jwksUrl": "http://127.0.0.1.them.example/jwks.json"}),
            json!({"jwksFile": null, "jwksUrl": "file:///etc/passwd"}),
            json!({"jwksFile": null, "jwksUrl": "no address"}),
            json!({"maxLifetimeSeconds": 0}),
            json!({"maxLifetimeSeconds": 30 * 24 * 3600 + 1}),
        ];
        for change in refused {
            let name = change["issuer"].as_str().unwrap_or("them");
            let error = read(&json!([entry(&change)])).unwrap_err();
            assert!(error.contains(&format!("issuer {name:?}")), "{change}: {error}");
        }
        assert!(read(&json!([entry(&json!({})), entry(&json!({}))])).unwrap_err().contains("another of that name"));
    }

    #[test]
    fn a_file_of_another_form_is_refused_by_name() {
        for entries in [
            json!({}),
            json!([{}]),
            json!([entry(&json!({"algorithms": ["none"]}))]),
            json!([entry(&json!({"jwks": 1}))]),
        ] {
            assert!(read(&entries).unwrap_err().contains("issuers.json"), "{entries}");
        }
        assert!(read_issuers(Path::new("no/such/file"), "us").unwrap_err().to_string().starts_with("no/such/file: "));
    }

    #[test]
    fn keys_come_over_https_or_from_this_machine() {
        for url in [
            "https://them.example/jwks.json",
            "http://127.0.0.1:8081/jwks.json",
            "http://[::1]/k",
            "http://localhost/k",
        ] {
            read(&json!([entry(&json!({"jwksFile": null, "jwksUrl": url}))])).unwrap();
        }
    }
}
