//! Games: lists and their pages, looking at one, now and as it was, and what caches may keep.

use ludotheque::rest::{self, DocumentProfile};
use serde_json::{Value, json};
use test_support::{Server, dice};

fn ids(list: &Value) -> Vec<String> {
    let items = list["items"].as_array().expect("items");
    items.iter().map(|game| game["id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test]
async fn lists_show_what_they_are_asked_for_newest_first() {
    let server = Server::start().await;
    let lobby = server.lobby(2, json!({})).await;
    let active = server.table(2).await;
    let finished = server.table(2).await;
    finished.players[1].resigns(&finished.game).await.ok();
    let ada = &active.players[0];
    let hidden = ada.creates(&json!({"kind": "CHIPS", "visibility": "UNLISTED"})).await.ok()["id"].clone();
    let anybody = server.anybody();
    let all = anybody.get("/v1/games").await.ok();
    assert_eq!(ids(&all), [&finished.game[..], &active.game, &lobby.game]);
    assert_eq!(all["nextCursor"], Value::Null);
    assert!(all["items"][0].get("view").is_none(), "a list shows no table");
    for (query, due) in [
        ("status=LOBBY", vec![&lobby.game[..]]),
        ("status=ACTIVE", vec![&active.game]),
        ("status=FINISHED&kind=CHIPS", vec![&finished.game]),
        ("status=ABANDONED", vec![]),
    ] {
        assert_eq!(ids(&anybody.get(&format!("/v1/games?{query}")).await.ok()), due, "{query}");
    }
    let mine = ada.get("/v1/games?mine=true").await.ok();
    assert_eq!(ids(&mine), [hidden.as_str().expect("an id"), &active.game]);
    assert_eq!(ids(&ada.get("/v1/games?mine=true&status=ACTIVE").await.ok()), [&active.game[..]]);
    assert_eq!(ids(&ada.get("/v1/games?waitingForMe=true").await.ok()), [&active.game[..]]);
    ada.plays(&active.game, &ada.moves(&active.game).await[0]).await.ok();
    assert_eq!(ids(&ada.get("/v1/games?waitingForMe=true").await.ok()), Vec::<String>::new());
    anybody.get("/v1/games?mine=true").await.refused("UNAUTHENTICATED");
}

#[tokio::test]
async fn pages_follow_on_from_each_other_while_new_games_come_in() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let make = async || ada.creates(&json!({"kind": "CHIPS"})).await.ok()["id"].as_str().expect("an id").to_owned();
    let mut due = Vec::new();
    for _ in 0..23 {
        due.insert(0, make().await);
    }
    for query in ["", "&mine=true", "&status=LOBBY&kind=CHIPS"] {
        let mut seen = Vec::new();
        let mut cursor = String::new();
        for pages in 0.. {
            let page = ada.get(&format!("/v1/games?limit=5{query}{cursor}")).await.ok();
            seen.extend(ids(&page));
            let Some(next) = page["nextCursor"].as_str() else {
                assert!(pages >= 4, "23 games are five pages");
                break;
            };
            cursor = format!("&cursor={next}");
            make().await;
        }
        assert_eq!(seen[seen.len() - 23..], due[..], "{query}");
    }
    assert_eq!(ids(&ada.get("/v1/games").await.ok()).len(), 20, "unless said otherwise");
    assert_eq!(
        ids(&ada.get("/v1/games?limit=100").await.ok()).len(),
        23 + 4 + 5 + 6,
        "and those that came in meanwhile"
    );
}

#[tokio::test]
async fn a_game_that_was_seen_is_not_sent_again() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let first = ada.looks_at(&table.game).await;
    let tag = first.header("etag");
    assert_eq!(first.header("cache-control"), "private, no-cache");
    let vary = first.header("vary").to_lowercase();
    assert!(vary.contains("authorization") && vary.contains("accept-language"), "{vary}");

    let has = |tag: &str| ada.looks_at(&table.game).header("if-none-match", tag);
    let weak = tag.trim_start_matches("W/").to_owned();
    for known in [&tag, &format!("\"other\", {tag}"), &weak, "*"] {
        let answer = has(known).await;
        assert_eq!((answer.status, answer.bytes.len(), answer.header("etag")), (304, 0, tag.clone()), "{known}");
    }
    assert_eq!(has("\"other\"").await.status, 200);
    // The same game for other eyes, in another language, or under another name, is another page.
    assert_ne!(bob.looks_at(&table.game).await.header("etag"), tag);
    assert_ne!(table.spectator().looks_at(&table.game).await.header("etag"), tag);
    assert_ne!(has(&tag).header("accept-language", "fr").await.header("etag"), tag);
    bob.patch("/v1/players/me").json(&json!({"displayName": "Bob B."})).await.ok();
    let renamed = has(&tag).await;
    assert_eq!((renamed.status, &renamed.json()["seats"][1]["player"]["displayName"]), (200, &json!("Bob B.")));
    let tag = renamed.header("etag");
    assert_eq!(has(&tag).await.status, 304);
    bob.plays(&table.game, &bob.moves(&table.game).await[0]).await.ok();
    assert_eq!(has(&tag).await.status, 200);
}

#[tokio::test]
async fn a_page_that_is_kept_is_shown_to_the_same_eyes_only() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let spectator = table.spectator();
    let viewers = table.players.iter().map(Some).chain([None]).enumerate();
    let viewers: Vec<_> = viewers.map(|(seat, player)| (player.map(|_| seat), player.unwrap_or(&spectator))).collect();
    // In turn, so that each comes after somebody else was shown the same version.
    for _ in 0..3 {
        for (seat, viewer) in &viewers {
            let game = viewer.looks_at(&table.game).await.ok();
            assert_eq!(game["you"], json!(seat));
            for other in 0..2 {
                let shows_hand = game["view"]["seats"][other]["hand"].is_array();
                assert_eq!(shows_hand, *seat == Some(other), "the hand of {other}, to {seat:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_game_can_be_seen_as_it_was_with_the_eyes_of_now() {
    let server = Server::start().await;
    let table = server.lobby(3, json!({"options": {"targetTokens": 1}})).await;
    let spectator = table.spectator();
    let viewers = || table.players.iter().chain([&spectator]);
    table.players[0].starts(&table.game).await.ok();
    let mut seen = Vec::new();
    let mut dice = dice(4);
    loop {
        let mut views = Vec::new();
        for viewer in viewers() {
            views.push(viewer.sees(&table.game).await);
        }
        let waiting = table.waiting().await;
        seen.push(views);
        match waiting.first() {
            Some(&seat) => table.plays_any(seat, &mut dice).await,
            None => break,
        };
    }
    for views in &seen {
        let version = &views[0]["version"];
        for (viewer, due) in viewers().zip(views) {
            let past = viewer.get(&format!("/v1/games/{}?at={version}", table.game)).await.ok();
            assert_eq!(&past, due, "at {version}");
        }
    }
    let last = seen.len() + 3;
    let at = |version: String| spectator.get(&format!("/v1/games/{}?at={version}", table.game));
    assert_eq!(at("1".into()).await.ok()["status"], "LOBBY");
    for wrong in ["0".to_owned(), (last + 1).to_string(), u64::MAX.to_string()] {
        at(wrong).await.refused("BAD_CURSOR");
    }
    // A seat that was somebody else's then is seen with the eyes of who has it now; a stranger's with none.
    let stranger = server.guest("Eve").await.get(&format!("/v1/games/{}?at=5", table.game)).await.ok();
    assert_eq!(stranger["view"], seen[1][3]["view"]);
}

#[tokio::test]
async fn events_come_in_pages() {
    let server = Server::start().await;
    let table = server.table(2).await;
    table.play_to_the_end(&mut dice(9)).await;
    let ada = &table.players[0];
    let all = ada.reads_events(&table.game, 1000).await;
    for page in [1, 2, 7, all.len() - 1, all.len()] {
        assert_eq!(ada.reads_events(&table.game, page).await, all, "{page} at a time");
    }
    let end = ada.get(&format!("/v1/games/{}/events?after={}", table.game, all.len())).await.ok();
    assert_eq!(end, json!({"version": all.len(), "items": [], "nextAfter": null}));
    ada.get(&format!("/v1/games/{}/events?after={}", table.game, all.len() + 1)).await.refused("BAD_CURSOR");
}

#[tokio::test]
async fn the_service_tells_how_it_is_and_describes_itself() {
    let server = Server::start().await;
    let anybody = server.anybody();
    for path in ["/livez", "/readyz"] {
        assert_eq!(anybody.get(path).await.ok(), json!({"status": "ok"}));
    }
    let document_of =
        async |server: &Server, query: &str| server.anybody().get(&format!("/openapi.json{query}")).await.ok();
    assert_eq!(document_of(&server, "").await, rest::document());
    assert_eq!(document_of(&server, "?profile=full").await, rest::document());
    assert_eq!(document_of(&server, "?profile=plain").await, rest::document_of(DocumentProfile::Plain, false));
    anybody.get("/openapi.json?profile=fancy").await.refused("MALFORMED");
    let dev = Server::dev().await;
    assert_eq!(document_of(&dev, "").await, rest::document_of(DocumentProfile::Full, true));
    assert_eq!(document_of(&dev, "?profile=plain").await, rest::document_of(DocumentProfile::Plain, true));
}

#[tokio::test]
async fn answers_are_compressed_for_who_can_read_that() {
    let server = Server::start().await;
    let table = server.table(5).await;
    let whole = table.spectator().looks_at(&table.game).await;
    let ask = table.spectator().looks_at(&table.game).header("accept-encoding", "gzip");
    let response = ask.send().await.expect("an answer");
    assert_eq!(response.headers()["content-encoding"], "gzip");
    assert!(response.bytes().await.expect("a body").len() < whole.bytes.len());
}
