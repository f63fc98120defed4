//! What is special about tables: damage in them.

use crate::fixture::open_postgres;
use crate::samples::{append, player};
use ludotheque::games::ports::{Append, Store, StoreError};
use ludotheque::ids::GameId;
use test_support::postgres::{database, sql};

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
