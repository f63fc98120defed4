//! Asking for everything: selections of all fields of a type, made from the schema itself, so that no field is forgotten.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use test_support::Player;
use test_support::graphql::ask;

/// A type and what it wraps, down to a list of lists.
const TYPE: &str = "kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
    ofType { kind name ofType { kind name } } } } } }";

/// The types of the schema, by name.
pub struct Types(BTreeMap<String, Value>);

impl Types {
    pub async fn of(viewer: &Player) -> Self {
        let query = format!(
            "{{ __schema {{ types {{ kind name description
                fields {{ name description args {{ name description type {{ {TYPE} }} }} type {{ {TYPE} }} }}
                inputFields {{ name description type {{ {TYPE} }} }}
                enumValues {{ name description }} possibleTypes {{ name }} }} }} }}"
        );
        let schema = ask(viewer, &query, json!({})).await;
        let types = schema["__schema"]["types"].as_array().expect("types").iter();
        Self(types.map(|ty| (text(&ty["name"]), ty.clone())).collect())
    }

    /// Our own types: all but those of introspection.
    pub fn ours(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().filter(|(name, _)| !name.starts_with("__"))
    }

    pub fn get(&self, name: &str) -> &Value {
        &self.0[name]
    }

    /// All fields of a type, and of all that they lead to; of `only` some types, only some fields. No alias is needed
    /// (`clashes.rs`), except for fields of a replay's actions: it says whose they are.
    pub fn select(&self, name: &str, only: &[(&str, &[&str])]) -> String {
        let ty = &self.0[name];
        match ty["kind"].as_str() {
            Some("OBJECT") => {
                let wanted = only.iter().find(|(of, _)| *of == name).map(|(_, fields)| *fields);
                let fields = list(&ty["fields"]).filter(|field| {
                    wanted.is_none_or(|wanted| wanted.contains(&field["name"].as_str().expect("a name")))
                });
                let fields = fields.map(|field| {
                    let (field_name, leads_to) = (text(&field["name"]), named(&field["type"]));
                    let alias =
                        if name.ends_with("Action") { format!("{name}__{field_name}: ") } else { String::new() };
                    format!("{alias}{field_name} {}", self.select(&leads_to, only))
                });
                format!("{{ {} }}", fields.collect::<Vec<_>>().join(" "))
            }
            Some("INTERFACE" | "UNION") => {
                let members = list(&ty["possibleTypes"]).map(|member| text(&member["name"]));
                let members = members.map(|member| format!("... on {member} {}", self.select(&member, only)));
                format!("{{ __typename {} }}", members.collect::<Vec<_>>().join(" "))
            }
            _ => String::new(),
        }
    }
}

/// What was answered, as REST would write it: without aliases, without the `stage` of an outcome that has none, and without what an action in a replay does not have.
pub fn plain(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut plain_fields = Map::new();
            let is_tagged = fields.keys().any(|alias| alias == "type" || alias.ends_with("__type"));
            for (alias, field) in fields.iter().filter(|(alias, _)| *alias != "__typename") {
                let name = alias.split_once("__").map_or(alias.as_str(), |(_, name)| name);
                let field = plain(field);
                let left_out = is_tagged && ["invited", "seats", "leftOut"].contains(&name);
                if field.is_null() && (name == "stage" || left_out) {
                    continue;
                }
                plain_fields.insert(name.to_owned(), field);
            }
            Value::Object(plain_fields)
        }
        Value::Array(items) => items.iter().map(plain).collect(),
        other => other.clone(),
    }
}

/// A game as REST would write it.
pub fn plain_game(game: &Value) -> Value {
    let mut game = plain(game);
    game["kind"] = game["kind"]["id"].take();
    if game["inviteCode"].is_null() {
        game.as_object_mut().expect("a game").remove("inviteCode");
    }
    game
}

/// What a game's viewer can ask for, and REST shows too.
pub const GAME: &[(&str, &[&str])] = &[
    ("Kind", &["id"]),
    (
        "Game",
        &[
            "id",
            "kind",
            "status",
            "version",
            "options",
            "visibility",
            "inviteCode",
            "host",
            "seats",
            "you",
            "waitingFor",
            "deadline",
            "view",
            "outcome",
            "fairness",
            "rulesVersion",
            "createdAt",
            "updatedAt",
        ],
    ),
];

/// A game with all that its viewer can ask of it.
pub async fn game(types: &Types, viewer: &Player, id: &str) -> Value {
    let query = format!("query($id: ID!) {{ game(id: $id) {} }}", types.select("Game", GAME));
    plain_game(&ask(viewer, &query, json!({"id": id})).await["game"])
}

/// All steps of a game, as its viewer receives them.
pub async fn steps(types: &Types, viewer: &Player, id: &str) -> Vec<Value> {
    let step = types.select("Step", &[]);
    let query = format!("query($id: ID!) {{ events(gameId: $id, first: 1000) {{ nodes {step} }} }}");
    let events = &ask(viewer, &query, json!({"id": id})).await["events"];
    list(&events["nodes"]).map(plain).collect()
}

/// The legal moves of a seated viewer.
pub async fn legal_moves(types: &Types, viewer: &Player, id: &str) -> Value {
    let query = format!("query($id: ID!) {{ legalMoves(gameId: $id) {} }}", types.select("LegalMoves", &[]));
    plain(&ask(viewer, &query, json!({"id": id})).await["legalMoves"])
}

/// What a move would do.
pub async fn preview(types: &Types, viewer: &Player, id: &str, mv: &str) -> Value {
    let only: &[(&str, &[&str])] = &[("PreviewPayload", &["complete", "obstacle", "events", "view"])];
    let query = format!(
        "query($id: ID!, $move: String) {{ preview(gameId: $id, moves: [{{id: $move}}]) {} }}",
        types.select("PreviewPayload", only)
    );
    plain(&ask(viewer, &query, json!({"id": id, "move": mv})).await["preview"])
}

/// All of a game that is over, as REST would write it.
pub async fn replay(types: &Types, viewer: &Player, id: &str) -> Value {
    let fields = types.select("Replay", &[]).replacen("steps {", "steps(first: 50, after: $after) {", 1);
    let query = format!("query($id: ID!, $after: String) {{ replay(gameId: $id) {fields} }}");
    let mut replay = plain(&ask(viewer, &query, json!({"id": id})).await["replay"]);
    // A page after the other, until one is empty.
    while let Some(last) = replay["steps"].as_array().and_then(|steps| steps.last()).map(|step| step["version"].clone())
    {
        let next = plain(&ask(viewer, &query, json!({"id": id, "after": last.to_string()})).await["replay"]);
        let next = next["steps"].as_array().expect("steps").clone();
        if next.is_empty() {
            break;
        }
        replay["steps"].as_array_mut().expect("steps").extend(next);
    }
    // Options say their kind wherever they are shown; what the chain binds is what the host sent.
    let steps = replay["steps"].as_array_mut().into_iter().flatten();
    for options in steps.filter_map(|step| step.pointer_mut("/action/options")?.as_object_mut()) {
        assert!(options.remove("kind").is_some(), "options say their kind");
    }
    replay["id"] = replay["gameId"].take();
    replay.as_object_mut().expect("a replay").remove("gameId");
    replay
}

pub fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

pub fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The name of a type, whatever it is wrapped in.
pub fn named(ty: &Value) -> String {
    if ty["ofType"].is_null() { text(&ty["name"]) } else { named(&ty["ofType"]) }
}
