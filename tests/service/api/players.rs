//! Players: guests and accounts, signing in and out, refresh tokens, profiles.

use serde_json::{Value, json};
use test_support::Server;
use test_support::endpoint::PASSWORD;

#[tokio::test]
async fn a_guest_has_a_name_and_tokens_at_once() {
    let server = Server::start().await;
    let answer = server.anybody().post("/v1/players").json(&json!({"displayName": "  Zoë "})).await;
    let tokens = answer.ok();
    assert_eq!((answer.status, &tokens["tokenType"], &tokens["expiresIn"]), (201, &json!("Bearer"), &json!(900)));
    let zoe = server.player(&answer);
    let profile = zoe.get("/v1/players/me").await.ok();
    assert_eq!(
        (&profile["id"], &profile["displayName"], &profile["username"]),
        (&json!(zoe.id), &json!("Zoë"), &Value::Null)
    );
}

#[tokio::test]
async fn an_account_signs_in_with_its_password_and_nothing_else() {
    let server = Server::start().await;
    let ada = server.account("ada").await;
    let again = server.player(&server.signs_in("ADA", PASSWORD).await);
    assert_eq!(again.id, ada.id);
    let wrong = server.signs_in("ada", "wrong horse").await;
    assert_eq!(wrong.refused("UNAUTHENTICATED"), server.signs_in("nobody", PASSWORD).await.refused("UNAUTHENTICATED"));
    assert_eq!(wrong.header("www-authenticate"), r#"Bearer realm="ludotheque""#);
    let taken = json!({"displayName": "Eve", "username": "Ada", "password": PASSWORD});
    server.anybody().post("/v1/players").json(&taken).await.refused("USERNAME_TAKEN");
}

#[tokio::test]
async fn a_refresh_token_is_good_once_and_using_it_after_its_successor_ends_the_whole_sign_in() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let second = server.player(&server.refreshes(&ada.refresh_token).await);
    let third = server.player(&server.refreshes(&second.refresh_token).await);
    assert_eq!(third.id, ada.id);
    for player in [&ada, &second, &third] {
        player.get("/v1/players/me").await.ok();
    }
    server.refreshes(&ada.refresh_token).await.refused("INVALID_TOKEN");
    server.refreshes(&third.refresh_token).await.refused("INVALID_TOKEN");
    for player in [&ada, &second, &third] {
        let refused = player.get("/v1/players/me").await;
        refused.refused("INVALID_TOKEN");
        assert_eq!(refused.header("www-authenticate"), r#"Bearer realm="ludotheque", error="invalid_token""#);
    }
}

#[tokio::test]
async fn a_lost_answer_to_a_refresh_is_answered_again_the_same_and_only_a_key_that_can_be_one_is_taken() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let refresh = |key: &'static str| {
        let body = json!({"refreshToken": ada.refresh_token});
        server.anybody().post("/v1/tokens").header("idempotency-key", key).json(&body)
    };
    refresh("").await.refused("MALFORMED");
    let lost = server.player(&refresh("monday").await);
    for key in ["monday", "tuesday"] {
        let again = server.player(&refresh(key).await);
        assert_eq!((&again.id, &again.refresh_token), (&ada.id, &lost.refresh_token));
        again.get("/v1/players/me").await.ok();
    }
    server.player(&server.refreshes(&lost.refresh_token).await);
    refresh("monday").await.refused("INVALID_TOKEN");
    lost.get("/v1/players/me").await.refused("INVALID_TOKEN");
}

#[tokio::test]
async fn signing_out_ends_this_sign_in_and_no_other() {
    let server = Server::start().await;
    let ada = server.account("ada").await;
    let other = server.player(&server.signs_in("ada", PASSWORD).await);
    assert_eq!(ada.delete("/v1/tokens/current").await.status, 204);
    ada.get("/v1/players/me").await.refused("INVALID_TOKEN");
    ada.delete("/v1/tokens/current").await.refused("INVALID_TOKEN");
    server.refreshes(&ada.refresh_token).await.refused("INVALID_TOKEN");
    other.get("/v1/players/me").await.ok();
    // A bad token is refused even where no token is needed.
    ada.get("/v1/games").await.refused("INVALID_TOKEN");
}

#[tokio::test]
async fn a_guest_becomes_an_account_and_stays_the_same_player() {
    let server = Server::start().await;
    let table = server.lobby(2, json!({})).await;
    let ada = &table.players[0];
    let me = "/v1/players/me";
    assert_eq!(ada.patch(me).json(&json!({"username": "ada"})).await.refused("MALFORMED")["field"], "password");
    assert_eq!(ada.patch(me).json(&json!({"password": PASSWORD})).await.refused("MALFORMED")["field"], "username");
    let changed =
        ada.patch(me).json(&json!({"displayName": "Ada L.", "username": "ada", "password": PASSWORD})).await.ok();
    assert_eq!((&changed["username"], &changed["displayName"]), (&json!("ada"), &json!("Ada L.")));
    let back = server.player(&server.signs_in("ada", PASSWORD).await);
    assert_eq!(back.id, ada.id);
    assert_eq!(back.sees(&table.game).await["you"], 0);
    assert_eq!(table.players[1].sees(&table.game).await["host"]["displayName"], "Ada L.");

    let password = json!({"password": "another horse"});
    assert_eq!(ada.patch(me).json(&password).await.refused("MALFORMED")["field"], "currentPassword");
    let wrong = json!({"password": "another horse", "currentPassword": "wrong horse"});
    assert_eq!(ada.patch(me).json(&wrong).await.refused("MALFORMED")["field"], "currentPassword");
    server.signs_in("ada", PASSWORD).await.ok();
    ada.patch(me).json(&json!({"password": "another horse", "currentPassword": PASSWORD})).await.ok();
    server.signs_in("ada", PASSWORD).await.refused("UNAUTHENTICATED");
    server.signs_in("ada", "another horse").await.ok();
}

#[tokio::test]
async fn no_token_a_bad_token_and_another_players_token_are_three_answers() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let (eve, mut forger) = (server.guest("Eve").await, server.guest("Mallory").await);
    let token = forger.token.clone().expect("a token");
    let (head, signature) = token.rsplit_once('.').expect("a JWT");
    forger.token = Some(format!("{head}.{}", signature.chars().rev().collect::<String>()));
    server.anybody().asks_for_moves(&table.game).await.refused("UNAUTHENTICATED");
    forger.asks_for_moves(&table.game).await.refused("INVALID_TOKEN");
    eve.asks_for_moves(&table.game).await.refused("NOT_SEATED");
    for (player, code) in [(&server.anybody(), "UNAUTHENTICATED"), (&forger, "INVALID_TOKEN")] {
        player.creates(&json!({"kind": "CHIPS"})).await.refused(code);
        player.get("/v1/players/me").await.refused(code);
        player.get("/v1/games?mine=true").await.refused(code);
        player.post("/v1/invites/AAAAAAAAAAAAAAAAAAAA").await.refused(code);
    }
}

#[tokio::test]
async fn what_makes_no_player_is_refused_with_the_field_at_fault() {
    let server = Server::start().await;
    let anybody = server.anybody();
    for (body, field) in [
        (json!({"displayName": "   "}), json!("displayName")),
        (json!({"displayName": "x".repeat(41)}), json!("displayName")),
        (json!({"displayName": "A", "username": "a b", "password": PASSWORD}), json!("username")),
        (json!({"displayName": "A", "username": "ada", "password": "short"}), json!("password")),
        (json!({"displayName": "A", "username": "ada"}), json!("password")),
        (json!({"displayName": "A", "password": PASSWORD}), json!("username")),
    ] {
        assert_eq!(anybody.post("/v1/players").json(&body).await.refused("MALFORMED")["field"], field, "{body}");
    }
    for body in [json!({}), json!({"username": "ada"}), json!({"username": "a", "password": "b", "refreshToken": "c"})]
    {
        anybody.post("/v1/tokens").json(&body).await.refused("MALFORMED");
    }
    server.refreshes("nonsense").await.refused("INVALID_TOKEN");
}

#[tokio::test]
async fn the_keys_that_tokens_are_signed_with_are_published() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let keys = server.anybody().get("/.well-known/jwks.json").await.ok();
    let head = ada.token.as_deref().and_then(|token| token.split('.').next()).expect("a JWT");
    let head = base64::Engine::decode(&base64::prelude::BASE64_URL_SAFE_NO_PAD, head).expect("base64");
    let head: Value = serde_json::from_slice(&head).expect("JSON");
    let key = keys["keys"].as_array().expect("keys").iter().find(|key| key["kid"] == head["kid"]);
    assert_eq!(key.expect("our key")["crv"], "Ed25519");
    assert!(keys.to_string().find("\"d\"").is_none(), "no private part");
}
