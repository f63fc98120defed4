//! Every leaf that can be queried has a value of its type: asked for plainly on interfaces, in fragments on them, and in
//! fragments on their members, as typed clients do, on games of every kind.

use crate::everything::{Types, list, named, text};
use ludotheque::rules::catalog;
use ludotheque::texts::Language;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use test_support::graphql::{answer, listen, next};
use test_support::{Player, Server, Table, dice};

/// Longer documents are refused, and there is something around a selection.
const LONGEST: usize = 30_000;

/// A selection on a type: what is asked for on the type itself, and in fragments on its members.
struct Selection {
    on: String,
    fields: Vec<Chosen>,
    members: Vec<Selection>,
}

/// A field under an alias that no other field of the document has.
struct Chosen {
    alias: String,
    /// The type that it was asked of, and its name.
    name: String,
    field: Value,
    inner: Option<Selection>,
}

/// Whether a type is of one of these kinds.
fn is_of(types: &Types, name: &str, kinds: &[&str]) -> bool {
    types.get(name)["kind"].as_str().is_some_and(|kind| kinds.contains(&kind))
}

impl Selection {
    /// All fields of a type. What leads back to a type above, or needs an argument, is left out. Aliases are short, because a
    /// document may not be long.
    fn all(types: &Types, on: &str, above: &[&str], count: &mut usize) -> Option<Self> {
        if !is_of(types, on, &["OBJECT", "INTERFACE", "UNION"]) || above.contains(&on) {
            return None;
        }
        let (ty, above) = (types.get(on), [above, &[on]].concat());
        let (mut fields, mut members) = (Vec::new(), Vec::new());
        for field in list(&ty["fields"]) {
            if list(&field["args"]).any(|arg| arg["type"]["kind"] == "NON_NULL") {
                continue;
            }
            let leads_to = named(&field["type"]);
            let inner = Self::all(types, &leads_to, &above, count);
            if inner.is_some() || is_of(types, &leads_to, &["SCALAR", "ENUM"]) {
                *count += 1;
                let (alias, name) = (format!("f{count}"), format!("{on}__{}", text(&field["name"])));
                fields.push(Chosen { alias, name, field: field.clone(), inner });
            }
        }
        if !is_of(types, on, &["OBJECT"]) {
            for member in list(&ty["possibleTypes"]) {
                members.extend(Self::all(types, &text(&member["name"]), &above, count));
            }
        }
        Some(Self { on: on.to_owned(), fields, members })
    }

    /// The same of an object, each field by itself.
    fn by_field(self) -> Vec<Self> {
        let Self { on, fields, members } = self;
        assert!(members.is_empty(), "{on} is an object");
        fields.into_iter().map(|field| Self { on: on.clone(), fields: vec![field], members: Vec::new() }).collect()
    }

    fn query(&self) -> String {
        let fields = |suffix: &str| {
            let fields = self.fields.iter().map(|Chosen { alias, field, inner, .. }| {
                let inner = inner.as_ref().map(Self::query).unwrap_or_default();
                format!("{alias}{suffix}: {} {inner}", text(&field["name"]))
            });
            fields.collect::<Vec<_>>().join(" ")
        };
        let mut parts = vec![format!("__typename {}", fields(""))];
        if !self.members.is_empty() && !self.fields.is_empty() {
            parts.push(format!("... on {} {{ {} }}", self.on, fields("again")));
        }
        parts.extend(self.members.iter().map(|member| format!("... on {} {}", member.on, member.query())));
        format!("{{ {} }}", parts.join(" "))
    }

    /// Holds an object to the types of all that was asked for on it, and notes the fields of interfaces.
    fn hold(&self, types: &Types, object: &Value, seen: &mut BTreeSet<String>) {
        let suffixes: &[&str] = if self.members.is_empty() { &[""] } else { &["", "again"] };
        for Chosen { alias, name, field, inner } in &self.fields {
            for suffix in suffixes {
                let value = object.get(format!("{alias}{suffix}"));
                let value = value.unwrap_or_else(|| panic!("{name} is left out {suffix}"));
                hold(types, name, &field["type"], inner.as_ref(), value, seen);
            }
            if !self.members.is_empty() {
                seen.insert(name.clone());
            }
        }
        if !self.members.is_empty() {
            let member = self.members.iter().find(|member| object["__typename"] == member.on);
            member.unwrap_or_else(|| panic!("{} is no {}", object["__typename"], self.on)).hold(types, object, seen);
        }
    }
}

/// Holds a value to its type.
fn hold(types: &Types, name: &str, ty: &Value, inner: Option<&Selection>, value: &Value, seen: &mut BTreeSet<String>) {
    match ty["kind"].as_str().expect("a kind") {
        "NON_NULL" => {
            assert!(!value.is_null(), "{name} is null");
            hold(types, name, &ty["ofType"], inner, value, seen);
        }
        _ if value.is_null() => {}
        "LIST" => {
            let items = value.as_array().unwrap_or_else(|| panic!("{name} is no list: {value}"));
            for item in items {
                hold(types, name, &ty["ofType"], inner, item, seen);
            }
        }
        "ENUM" => {
            let known = list(&types.get(&text(&ty["name"]))["enumValues"]).any(|known| known["name"] == *value);
            assert!(known, "{name} is none of the values of {}: {value}", ty["name"]);
        }
        "SCALAR" => {
            let fits = match ty["name"].as_str().expect("a name") {
                "Int" => value.as_i64().is_some_and(|number| i32::try_from(number).is_ok()),
                "Float" => value.is_number(),
                "Boolean" => value.is_boolean(),
                "String" | "ID" => value.is_string(),
                "DateTime" => value.as_str().is_some_and(|text| text.parse::<jiff::Timestamp>().is_ok()),
                "JSON" => true,
                other => panic!("{name} is of the scalar {other}, which this test does not know"),
            };
            assert!(fits, "{name} is no {}: {value}", ty["name"]);
        }
        _ => inner.expect("a selection").hold(types, value, seen),
    }
}

/// A client, and the interfaces seen so far.
struct Asker {
    types: Types,
    seen: BTreeSet<String>,
}

impl Asker {
    fn field(&self, root: &str, name: &str) -> Value {
        let field = list(&self.types.get(root)["fields"]).find(|field| field["name"] == name);
        field.unwrap_or_else(|| panic!("{root} has {name}"))["type"].clone()
    }

    fn select(&self, ty: &Value) -> Selection {
        Selection::all(&self.types, &named(ty), &[], &mut 0).expect("an object")
    }

    /// Asks for all of a root field that must not be null, in several documents if one would be too long.
    async fn ask(&mut self, viewer: &Player, name: &str, arguments: &str) {
        let ty = self.field("Query", name);
        let selection = self.select(&ty);
        let parts = if selection.query().len() < LONGEST { vec![selection] } else { selection.by_field() };
        for part in parts {
            let query = format!("{{ {name}{arguments} {} }}", part.query());
            let answer = answer(viewer, Language::En, &query, json!({})).await;
            assert_eq!(answer.get("errors"), None, "{name}");
            assert!(!answer["data"][name].is_null(), "{name} is there");
            hold(&self.types, name, &ty, Some(&part), &answer["data"][name], &mut self.seen);
        }
    }

    /// All current answers about a table.
    async fn ask_about(&mut self, table: &Table) {
        let id = &table.game;
        for viewer in [&table.players[0], &table.spectator()] {
            self.ask(viewer, "game", &format!("(id: {id:?})")).await;
            self.ask(viewer, "events", &format!("(gameId: {id:?}, first: 200)")).await;
        }
        self.ask(&table.players[0], "node", &format!("(id: {id:?})")).await;
        self.ask(&table.players[0], "games", "(first: 2, filter: {mine: true})").await;
        for seat in table.waiting().await {
            let player = &table.players[seat];
            self.ask(player, "legalMoves", &format!("(gameId: {id:?})")).await;
            for mv in player.moves(id).await.iter().take(2) {
                self.ask(player, "preview", &format!("(gameId: {id:?}, moves: [{{id: {mv:?}}}])")).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_leaf_has_a_value_of_its_type_plainly_and_in_fragments() {
    let server = Server::start().await;
    let mut asker = Asker { types: Types::of(&server.anybody()).await, seen: BTreeSet::new() };
    for rules in catalog::BUILT_IN.newest_of_all() {
        let table = server.lobby(*rules.info().seats.start(), json!({"kind": rules.info().kind})).await;
        let host = &table.players[0];
        host.patch(&format!("/v1/games/{}", table.game)).json(&json!({"options": {"moveSeconds": 60}})).await.ok();
        host.starts(&table.game).await.ok();
        let mut dice = dice(17);
        for _ in 0..4 {
            asker.ask_about(&table).await;
            table.play_a_step(&mut dice).await;
        }
        table.play_to_the_end(&mut dice).await;
        asker.ask_about(&table).await;
        asker.ask(host, "replay", &format!("(gameId: {:?})", table.game)).await;
        asker.ask(host, "me", "").await;

        let step = asker.field("Subscription", "gameEvents");
        let selection = asker.select(&step);
        let query = format!("subscription {{ gameEvents(gameId: {:?}) {} }}", table.game, selection.query());
        let mut stream = listen(host, &query, json!({})).await;
        while let Some(told) = next(&mut stream).await {
            assert_eq!(told.get("errors"), None);
            hold(&asker.types, "gameEvents", &step, Some(&selection), &told["data"]["gameEvents"], &mut asker.seen);
        }
    }
    asker.ask(&server.anybody(), "kinds", "").await;
    let of_interfaces = asker.types.ours().filter(|(_, ty)| ty["kind"] == "INTERFACE");
    let due: BTreeSet<_> = of_interfaces
        .flat_map(|(name, ty)| list(&ty["fields"]).map(move |field| format!("{name}__{}", text(&field["name"]))))
        .collect();
    assert_eq!(asker.seen, due, "every field of every interface was asked for");
}
