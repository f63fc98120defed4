//! What is special about tables: damage in them, and what they forget.

use crate::fixture::open_postgres;
use crate::postgres::{database, sql};
use crate::samples::{START, append, player, revocation, with_command};
use ludotheque::games::ports::{Append, Scope, Store, StoreError};
use ludotheque::ids::GameId;
use ludotheque::players::ports::PlayerStore;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flipped_bit_in_any_value_is_noticed_when_it_is_read_and_when_all_is_verified() {
    let damaged = [
        ("games", "head"),
        ("games", "version"),
        ("games", "listed"),
        ("steps", "step"),
        ("snapshots", "snapshot"),
        ("members", "status"),
    ];
    for (table, column) in damaged {
        let url = database();
        let store = open_postgres(&url).await;
        let game = GameId::new();
        for version in 1..=3 {
            let mut append = Append { snapshot: (version == 2).then(|| vec![7; 9]), ..append(game, version) };
            append.head.members = vec![player(None).id];
            store.append(append).await.unwrap();
        }
        assert!(store.verify(&mut |_, _, _| Ok(()), &|_, _| ()).await.unwrap().is_clean());
        let flipped = match column {
            "version" | "status" => format!("{column} + 1"),
            "listed" => "NOT listed".to_owned(),
            _ => format!("set_byte({column}, 5, get_byte({column}, 5) # 1)"),
        };
        sql(&url, &format!("UPDATE {table} SET {column} = {flipped}"));
        let verified = store.verify(&mut |_, _, _| Ok(()), &|_, _| ()).await.unwrap();
        assert!(!verified.is_clean(), "{table}.{column}");
        let read = [store.head(game).await.map(drop), store.load(game).await.map(drop)];
        let noticed = read.iter().any(|read| matches!(read, Err(StoreError::Corrupt(_))));
        assert_eq!(noticed, !["listed", "status"].contains(&column), "{table}.{column}: {read:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_and_ended_tokens_are_forgotten_once_they_count_no_more() {
    let store = open_postgres(&database()).await;
    let game = GameId::new();
    let scope = Scope { player: player(None).id, game: Some(game) };
    let now = ludotheque::auth::real_time();
    store.append(with_command(game, 1, scope, "old")).await.unwrap();
    let mut new = with_command(game, 2, scope, "new");
    new.step.at = now;
    store.append(new).await.unwrap();
    store.revoke_tokens(revocation([1; 32])).await.unwrap();
    store.forget_expired().await.unwrap();
    // Both would still have counted then.
    assert_eq!(store.command(scope, "old", START).await.unwrap(), None);
    assert!(store.command(scope, "new", now).await.unwrap().is_some());
    assert!(!store.is_revoked(&[[1; 32]], START).await.unwrap());
}
