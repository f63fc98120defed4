//! Every field of GraphQL's roots, with all that it can be asked for.

use super::{Access, Heard};
use crate::everything::{GAME, Types, list, named, text};
use ludotheque::texts::Language;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use test_support::Player;
use test_support::graphql::{answer, listen, next};

/// What each field takes: access, and arguments, where `$id` is a game's.
const TABLE: &[(&str, Access, &str)] = &[
    ("Query.kinds", Access::Anybody, ""),
    ("Query.kind", Access::Anybody, "(id: CHIPS)"),
    ("Mutation.createPlayer", Access::Anybody, r#"(input: {displayName: "Eve"})"#),
    ("Mutation.signIn", Access::Anybody, r#"(input: {username: "bob", password: "wrong horse"})"#),
    ("Mutation.refreshTokens", Access::Anybody, r#"(input: {refreshToken: "refresh_x"})"#),
    ("Query.me", Access::Own, ""),
    ("Query.games", Access::Listing, ""),
    ("Mutation.updatePlayer", Access::Own, r#"(input: {displayName: "Eve"})"#),
    ("Mutation.deletePlayer", Access::Own, ""),
    ("Mutation.signOut", Access::Own, ""),
    ("Mutation.createGame", Access::Own, "(input: {kind: CHIPS})"),
    ("Mutation.acceptInvite", Access::Own, r#"(input: {code: "AAAAAAAAAAAAAAAAAAAA"})"#),
    ("Subscription.myGames", Access::Own, ""),
    ("Query.game", Access::Looking, "(id: $id)"),
    ("Query.events", Access::Looking, "(gameId: $id)"),
    ("Query.replay", Access::Looking, "(gameId: $id)"),
    ("Query.node", Access::Looking, "(id: $id)"),
    ("Query.nodes", Access::Looking, "(ids: [$id])"),
    ("Subscription.gameEvents", Access::Looking, "(gameId: $id)"),
    ("Mutation.sitDown", Access::Joining, "(input: {gameId: $id})"),
    ("Query.legalMoves", Access::Seated, "(gameId: $id)"),
    ("Query.preview", Access::Seated, r#"(gameId: $id, moves: [{id: "discard last-n none-p"}])"#),
    ("Mutation.playMove", Access::Seated, r#"(input: {gameId: $id, id: "discard last-n none-p"})"#),
    ("Mutation.resignGame", Access::Seated, "(input: {gameId: $id})"),
    ("Mutation.callTimeouts", Access::Seated, "(input: {gameId: $id})"),
    ("Mutation.standUp", Access::Seated, "(input: {gameId: $id})"),
    ("Mutation.createRematch", Access::Seated, "(input: {gameId: $id})"),
    ("Mutation.chooseSetup", Access::Aside, "(input: {gameId: $id, choice: {santaRescue: {elves: [2]}}})"),
    (
        "Mutation.makeAside",
        Access::Aside,
        r#"(input: {gameId: $id, aside: {santaRescue: {name: {elf: 1, name: "Pip"}}}})"#,
    ),
    ("Mutation.updateGame", Access::Host, "(input: {gameId: $id, seats: 4})"),
    ("Mutation.removePlayer", Access::Host, "(input: {gameId: $id, seat: 1})"),
    ("Mutation.startGame", Access::Host, "(input: {gameId: $id})"),
];

pub struct Field {
    pub name: String,
    pub access: Access,
    root: &'static str,
    /// The name without its root.
    bare: String,
    document: String,
}

pub fn fields(types: &Types) -> Vec<Field> {
    let mut rows: BTreeMap<_, _> = TABLE.iter().map(|(name, access, args)| (*name, (*access, *args))).collect();
    let mut fields = Vec::new();
    for root in ["Query", "Mutation", "Subscription"] {
        for field in list(&types.get(root)["fields"]) {
            let bare = text(&field["name"]);
            let name = format!("{root}.{bare}");
            let row = rows.remove(name.as_str());
            let (access, args) = row.unwrap_or_else(|| panic!("{name} is not in the matrix: who may ask it?"));
            let variable = if args.contains("$id") { "($id: ID!)" } else { "" };
            let selection = types.select(&named(&field["type"]), GAME);
            let document = format!("{}{variable} {{ {bare}{args} {selection} }}", root.to_lowercase());
            fields.push(Field { name, access, root, bare, document });
        }
    }
    assert!(rows.is_empty(), "the schema does not have {rows:?}");
    fields
}

impl Field {
    pub fn changes_something(&self) -> bool {
        self.root == "Mutation"
    }

    pub async fn asked_by(&self, player: &Player, game: &str) -> Heard {
        let variables = if self.document.contains("$id") { json!({"id": game}) } else { json!({}) };
        let answer = if self.root == "Subscription" {
            next(&mut listen(player, &self.document, variables).await).await.unwrap_or_default()
        } else {
            answer(player, Language::En, &self.document, variables).await
        };
        Heard { outcome: self.outcome(&answer), text: answer.to_string() }
    }

    fn outcome(&self, answer: &Value) -> String {
        let data = &answer["data"][&self.bare];
        let user_errors = &data["userErrors"][0];
        let code = match (&answer["errors"][0]["extensions"]["code"], user_errors) {
            (Value::String(code), _) => Some(code.clone()),
            (_, Value::Object(error)) => Some(text(&error["code"])),
            _ => (data.is_null() || *data == json!([null])).then(|| "NOT_FOUND".to_owned()),
        };
        code.unwrap_or_else(|| "OK".to_owned())
    }
}
