//! Which way the arrows point: what each part of src, and the crate of the rules, may know, and where each library is at home.

use crate::Finding;
use crate::source::{Name, Source};

/// Each part of src, and all that it may know of the others. From the bottom up.
///
/// Two arrows need a word. `auth` asks `players::ports` whether a sign-in still stands, and `players` asks `auth` for
/// tokens: they meet at the port, which belongs to neither's inside. `rest`, `live` and `web` know `App`, the struct
/// that every handler is handed, with its errors, and nothing else of `app`.
const PARTS: &[(&str, &[&str])] = &[
    ("ids", &[]),
    ("codes", &[]),
    ("rules", &[]),
    ("signal", &[]),
    ("quota", &["ids", "signal"]),
    ("strict_json", &["rules::Fault", "rules::Message"]),
    ("games", &["rules", "ids", "codes", "quota"]),
    ("auth", &["games::ports", "players::ports", "rules::Instant", "ids"]),
    ("players", &["auth", "games::ports", "rules::Instant", "rules::Message", "rules::visible", "ids", "quota"]),
    ("texts", &["rules::Message", "rules::Arg", "rules::Sentences", "rules::any", "rules::catalog"]),
    ("clock", &["games::ports", "rules::Instant"]),
    ("store", STORE),
    ("edge", &["auth::LastTokens", "codes", "games::ports", "ids", "quota", "signal"]),
    ("live", &["app::App", "auth", "games", "ids", "quota"]),
    (
        "refusal",
        &[
            "app::DeletionError",
            "auth",
            "codes",
            "games",
            "players",
            "quota",
            "rules::Fault",
            "rules::Message",
            "strict_json",
            "texts",
        ],
    ),
    ("rest", REST),
    ("graphql", GRAPHQL),
    ("web", &["app::App", "codes", "edge::asset", "rules::Message", "texts"]),
    ("app", APP),
    ("routing", &["app::App", "graphql", "rest", "web"]),
    ("admin", &["clock", "games::ports", "store"]),
    ("sweep", &["app::App", "games"]),
    (
        "server",
        &[
            "app",
            "routing",
            "edge::client_address",
            "edge::arrival",
            "edge::connection_limits",
            "edge::unsent_bytes",
            "quota",
            "signal",
            "sweep",
        ],
    ),
    (
        "config",
        &[
            "app",
            "auth",
            "edge",
            "games::Caps",
            "graphql",
            "ids",
            "rules::Seed",
            "rules::catalog",
            "rules::simulate",
            "store",
        ],
    ),
    ("cli", CLI),
    ("main", &["cli", "rules::catalog"]),
    ("lib", &["rules"]),
];

/// Besides the ports: the vault of signing keys, which is a port too, and the listeners of this process, to whom the shared
/// store passes on what other nodes announce.
const STORE: &[&str] = &[
    "auth::KeyError",
    "auth::Vault",
    "games::ports",
    "games::step",
    "ids",
    "live::LocalNotifier",
    "players::ports",
    "rules::Instant",
];

const REST: &[&str] = &[
    "app::App",
    "app::DeletionError",
    "auth",
    "codes",
    "edge",
    "games",
    "ids",
    "live",
    "players",
    "quota",
    "refusal",
    "rules",
    "strict_json",
    "texts",
];

const GRAPHQL: &[&str] = &[
    "app::App",
    "auth",
    "codes",
    "edge",
    "games",
    "ids",
    "live",
    "players",
    "quota",
    "refusal",
    "rules",
    "strict_json",
    "texts",
];

const APP: &[&str] = &[
    "auth",
    "clock",
    "edge",
    "games",
    "graphql::Settings",
    "ids",
    "live",
    "players",
    "quota",
    "rules::catalog",
    "texts",
];

const CLI: &[&str] = &[
    "admin",
    "app",
    "auth",
    "clock",
    "config",
    "edge",
    "games",
    "graphql",
    "rest",
    "rules::Info",
    "rules::any",
    "rules::catalog",
    "rules::dice",
    "rules::santa_rescue",
    "rules::simulate",
    "server",
    "store",
    "texts",
];

/// What to use instead of a part that is out of reach.
const INSTEAD: &[(&str, &str)] = &[
    ("admin", "the operator's door is opened by cli alone"),
    ("app", "take what you need as an argument, or a trait of games::ports"),
    ("auth", "a use case is handed a PlayerId; who that is was proved by an extractor before"),
    ("cli", "the command line calls the rest, never the other way round"),
    ("clock", "take the trait games::ports::Clock"),
    ("codes", "each layer has its own error; GameError::code() turns it into a code"),
    ("config", "take the few settings you need as a struct of your own"),
    ("edge", "what every request passes is called by the faces; handlers reach it through App"),
    ("games", "below games only its ports can be known: games::ports (and, for stores, games::step)"),
    ("graphql", "nothing below the faces knows GraphQL: return a value, and give it a type in graphql"),
    ("live", "announce through the trait games::ports::Notifier"),
    ("players", "only players::ports can be known from outside the faces"),
    ("refusal", "each layer has its own error; the faces make refusals of them"),
    ("rest", "nothing below the faces knows HTTP: return a value, and shape it in rest"),
    ("rules", "only the shared words can be known here: rules::Instant, rules::Message"),
    ("server", "the server listens; nobody calls it but cli"),
    ("store", "take the traits games::ports::Store and players::ports::PlayerStore"),
    ("strict_json", "requests are read by the faces"),
    ("sweep", "the server starts it; nobody calls it"),
    ("texts", "return a rules::Message; the faces put it into the reader's language"),
    ("web", "pages are put beside the routes in app; nobody else knows them"),
];

/// Where the libraries that shape a part are at home. Those for everybody (serde, thiserror, tokio …) are not listed.
const HOMES: &[(&str, &[&str], &str)] = &[
    ("argon2", &["src/players/passwords.rs"], "players::passwords hashes"),
    (
        "async_graphql",
        &["src/graphql/", "src/codes.rs"],
        "types of GraphQL are made in graphql; only the codes are shared",
    ),
    ("async_graphql_axum", &["src/graphql/transport/request.rs"], "bodies of GraphQL are read in one place"),
    ("axum", AXUM, "HTTP is for the faces"),
    ("clap", &["src/config/", "src/cli/mod.rs", MANUAL, COMMANDS_OF_KINDS[0].0], "settings are read in config"),
    ("clap_complete", &["src/config/commands.rs", MANUAL], "cli::manual writes completions"),
    ("clap_mangen", &[MANUAL], "cli::manual writes manual pages"),
    ("deadpool_postgres", POSTGRES, "take the trait games::ports::Store"),
    ("fluent_bundle", &["src/texts/"], "return a rules::Message"),
    ("flate2", &["src/store/codec.rs"], "store::codec packs"),
    ("governor", &["src/quota/budget.rs"], "quota::Budgets counts work"),
    ("http_body_util", CLIENTS, "only backups and other issuers' keys are fetched"),
    ("hyper", &["src/server/", CLIENTS[0], CLIENTS[1]], "connections are the server's"),
    ("hyper_rustls", &["src/auth/issuers/source.rs"], "only other issuers' keys are fetched from afar"),
    ("hyper_util", &["src/server/", CLIENTS[0], CLIENTS[1]], "connections are the server's"),
    ("indicatif", &["src/cli/"], "report progress through a callback"),
    ("ipnet", &["src/edge/client_address.rs", "src/config/"], "edge::client_address tells who is calling"),
    ("jsonwebtoken", &["src/auth/"], "auth::Identity issues and checks tokens"),
    ("libc", &["src/store/fdatasync_interposer.rs"], "unsafe code is in one file"),
    ("opentelemetry", TRACES, "write to the log with tracing"),
    ("opentelemetry_otlp", TRACES, "write to the log with tracing"),
    ("opentelemetry_sdk", TRACES, "write to the log with tracing"),
    (
        "postcard",
        &["crates/rules/src/any.rs", "crates/rules/src/layout.rs", "src/games/model/snapshot.rs", "src/store/codec.rs"],
        "store::codec encodes",
    ),
    ("prometheus_client", &["src/edge/metrics.rs"], "edge::metrics counts"),
    ("rand_chacha", &["crates/rules/src/dice.rs"], "throw rules::Dice"),
    (
        "rustix",
        &["src/store/private_files.rs", "src/store/sled/commit/disk_space.rs"],
        "the store tells its disk's room and guards its files",
    ),
    ("sled", &["src/store/"], "take the trait games::ports::Store"),
    ("tokio_postgres", POSTGRES, "take the trait games::ports::Store"),
    ("tokio_postgres_rustls", POSTGRES, "take the trait games::ports::Store"),
    ("tower", &["src/edge/", "src/server/"], "layers are put on in edge"),
    ("tower_http", &["src/edge/"], "layers are made in edge"),
    ("tracing_opentelemetry", TRACES, "write to the log with tracing"),
    ("tracing_subscriber", &["src/cli/log.rs", TRACES[0]], "write to the log with tracing"),
    ("utoipa", &["src/rest/"], "OpenAPI is described in rest"),
    ("utoipa_axum", &["src/rest/"], "OpenAPI is described in rest"),
];

/// Files with the commands of one kind, and the kind's slug. Nothing else on the command line knows a kind.
pub const COMMANDS_OF_KINDS: &[(&str, &str)] = &[("src/cli/puzzles.rs", "santa_rescue")];

const MANUAL: &str = "src/cli/manual.rs";

const AXUM: &[&str] = &[
    "src/rest/",
    "src/graphql/transport/",
    "src/live/",
    "src/web/",
    "src/edge/",
    "src/routing.rs",
    "src/server/",
    "src/admin.rs",
    "src/auth/bearer.rs",
];

/// Where we are somebody's client.
const CLIENTS: &[&str] = &["src/auth/issuers/source.rs", "src/cli/backup.rs"];

const POSTGRES: &[&str] = &["src/store/postgres/"];

const TRACES: &[&str] = &["src/edge/otlp.rs"];

/// Arrows between the parts of src that point the wrong way.
pub fn between_parts(source: &Source) -> Vec<Finding> {
    let part = source.part();
    let Some((_, allowed)) = PARTS.iter().find(|(name, _)| *name == part) else {
        return vec![source.finding(1, &format!("{part} is in no row of PARTS: say there what it may know"))];
    };
    let wrong = source.names.iter().filter_map(|name| match &name.what {
        Name::Ours(path) if is_part(path) && path[0] != part => {
            let allowed = allowed.iter().any(|allowed| name.what.is_within(allowed));
            (!allowed).then(|| source.finding(name.line, &wrong_arrow(part, path)))
        }
        _ => None,
    });
    wrong.collect()
}

fn is_part(path: &[String]) -> bool {
    path.first().is_some_and(|first| PARTS.iter().any(|(part, _)| part == first))
}

fn wrong_arrow(part: &str, path: &[String]) -> String {
    let instead = INSTEAD.iter().find(|(to, _)| *to == path[0]).map_or("see ARCHITECTURE.md", |(_, instead)| instead);
    format!("{part} must not know {}; {instead}", path.join("::"))
}

/// Kinds that are named by anything but themselves, the catalogue, and their own commands in cli.
pub fn to_kinds(source: &Source, kinds: &[String]) -> Vec<Finding> {
    let commands = COMMANDS_OF_KINDS.iter().find(|(file, _)| *file == source.path).map(|(_, kind)| (*kind).to_owned());
    let own = commands.as_ref().or(source.module.get(1).filter(|_| source.part() == "rules"));
    let wrong = source.names.iter().filter_map(|name| {
        let Name::Ours(path) = &name.what else { return None };
        let kind = path.get(1).filter(|kind| path[0] == "rules" && kinds.contains(*kind) && Some(*kind) != own)?;
        let instead = match own {
            Some(own) if own == "catalog" && source.part() == "rules" => return None,
            Some(own) if kinds.contains(own) => {
                "kinds never import each other; what both need belongs in crates/rules/src"
            }
            _ => "find the rules in rules::catalog and call them through rules::any::AnyRules",
        };
        Some(source.finding(name.line, &format!("names the kind {kind}; {instead}")))
    });
    wrong.collect()
}

/// Libraries that are used away from home.
pub fn to_libraries(source: &Source) -> Vec<Finding> {
    let wrong = source.names.iter().filter_map(|name| {
        let Name::Theirs(path) = &name.what else { return None };
        let (library, homes, instead) = HOMES.iter().find(|(library, ..)| path[0] == *library)?;
        let at_home = homes.iter().any(|home| source.is_in(home));
        (!at_home)
            .then(|| source.finding(name.line, &format!("{library} is at home in {}; {instead}", homes.join(", "))))
    });
    wrong.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refuses(check: impl Fn(&Source) -> Vec<Finding>, path: &str, text: &str, because: &str) {
        let findings = check(&Source::parse(path, text));
        assert!(findings.iter().any(|finding| finding.contains(because)), "{path}: {text}: {findings:?}");
    }

    #[test]
    fn a_wrong_arrow_is_told_what_to_use_instead() {
        refuses(between_parts, "src/games/play.rs", "use crate::store::sled::SledStore;", "games::ports::Store");
        refuses(between_parts, "src/games/play.rs", "fn f() { crate::clock::SystemClock; }", "games::ports::Clock");
        refuses(between_parts, "src/games/mod.rs", "use super::live::LocalNotifier;", "games::ports::Notifier");
        refuses(
            between_parts,
            "crates/rules/src/chips/mod.rs",
            "use ludotheque::games::Game;",
            "rules must not know games::Game",
        );
        refuses(between_parts, "src/store/sled/read.rs", "use crate::games::Game;", "games::step");
        refuses(between_parts, "src/auth/identity.rs", "use crate::players::Players;", "players::ports");
        refuses(
            between_parts,
            "src/rest/games.rs",
            "use crate::routing::router;",
            "rest must not know routing::router",
        );
        refuses(between_parts, "src/rest/games.rs", "use crate::{ids, store};", "PlayerStore");
        refuses(between_parts, "src/texts/mod.rs", "use crate::rules::Rules;", "rules::Message");
        refuses(between_parts, "src/news.rs", "", "in no row of PARTS");
    }

    #[test]
    fn the_ports_may_be_known() {
        for (path, text) in [
            ("src/auth/identity.rs", "use crate::players::ports::PlayerStore;"),
            ("src/store/sled/ports.rs", "use crate::games::{ports::Store, step::Step};"),
            ("src/rest/games.rs", "use crate::{app::App, games::Game};"),
        ] {
            assert_eq!(between_parts(&Source::parse(path, text)), [] as [Finding; 0], "{path}");
        }
    }

    #[test]
    fn a_kind_is_known_to_itself_its_commands_and_the_catalogue_only() {
        let kinds = ["chips", "loading", "santa_rescue"].map(str::to_owned);
        let check = |source: &Source| to_kinds(source, &kinds);
        refuses(
            check,
            "crates/rules/src/chips/moves.rs",
            "use super::super::loading::Card;",
            "kinds never import each other",
        );
        refuses(check, "crates/rules/src/any.rs", "use super::chips::Chips;", "rules::any::AnyRules");
        refuses(check, "src/rest/kinds.rs", "use crate::rules::chips;", "rules::catalog");
        refuses(check, "src/cli/serve.rs", "use crate::rules::chips;", "rules::catalog");
        refuses(check, "src/cli/mod.rs", "use crate::rules::chips;", "rules::catalog");
        refuses(check, "src/cli/puzzles.rs", "use crate::rules::chips;", "kinds never import each other");
        let catalogue = Source::parse("crates/rules/src/catalog.rs", "use super::chips::Chips;");
        let itself =
            Source::parse("crates/rules/src/chips/moves.rs", "use super::types::Card; use crate::chips::Move;");
        let command = Source::parse("src/cli/puzzles.rs", "use crate::rules::santa_rescue::State;");
        let found = [check(&catalogue), check(&itself), check(&command)].concat();
        assert_eq!(found, [] as [Finding; 0]);
    }

    #[test]
    fn a_library_away_from_home_is_sent_back() {
        refuses(to_libraries, "src/games/sequencer/mod.rs", "fn f(db: sled::Db) {}", "games::ports::Store");
        refuses(to_libraries, "src/games/error.rs", "use axum::http::StatusCode;", "HTTP is for the faces");
        refuses(to_libraries, "crates/rules/src/chips/state.rs", "use rand_chacha::ChaCha8Rng;", "rules::Dice");
    }
}
