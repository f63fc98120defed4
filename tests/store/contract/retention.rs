//! Games that are over, and removing them.

use crate::fixture::Fixture;
use crate::samples::{append, later, with_command, with_head};
use ludotheque::games::ports::{Appended, Head, ListQuery, Scope, Status, Store, Whose};
use ludotheque::ids::{GameId, PlayerId};
use ludotheque::rules::Instant;
use std::sync::Arc;

/// A game of two steps, the second of which leaves it like this.
async fn left(store: &Arc<dyn Store>, status: Status, updated_at: Instant) -> GameId {
    left_with(store, |head| (head.status, head.updated_at) = (status, updated_at)).await
}

async fn left_with(store: &Arc<dyn Store>, change: impl FnOnce(&mut Head)) -> GameId {
    let game = GameId::new();
    assert_eq!(store.append(append(game, 1)).await.unwrap(), Appended::Stored(1));
    assert_eq!(store.append(with_head(game, 2, change)).await.unwrap(), Appended::Stored(2));
    game
}

pub async fn games_that_are_over_are_found_the_longest_over_first(Fixture { games, .. }: &Fixture) {
    let third = left(games, Status::Finished, later(3)).await;
    let first = left(games, Status::Abandoned, later(1)).await;
    left(games, Status::Finished, later(4)).await;
    let second = left(games, Status::Finished, later(2)).await;
    for status in [Status::Lobby, Status::Active] {
        left(games, status, later(0)).await;
    }
    assert_eq!(games.games_over(later(4), 10).await.unwrap(), [first, second, third]);
    assert_eq!(games.games_over(later(4), 2).await.unwrap(), [first, second]);
}

pub async fn a_removed_game_is_gone_with_all_that_led_to_it(Fixture { games, .. }: &Fixture) {
    let player = PlayerId::new();
    let game = GameId::new();
    let scope = Scope { player, game: Some(game) };
    let mut first = with_command(game, 1, scope, "key");
    first.snapshot = Some(vec![1]);
    assert_eq!(games.append(first).await.unwrap(), Appended::Stored(1));
    let over = with_head(game, 2, |head| {
        (head.status, head.updated_at, head.listed) = (Status::Finished, later(1), true);
        (head.members, head.invite) = (vec![player], Some("code".to_owned()));
    });
    assert_eq!(games.append(over).await.unwrap(), Appended::Stored(2));
    let other = left(games, Status::Finished, later(1)).await;

    assert!(games.remove(game, later(2)).await.unwrap());
    assert!(games.load(game).await.unwrap().is_none());
    assert_eq!(games.head(game).await.unwrap(), None);
    assert_eq!(games.steps(game, 0, 10).await.unwrap(), []);
    assert_eq!(games.command(scope, "key", later(0)).await.unwrap(), None);
    assert_eq!(games.game_of_invite("code").await.unwrap(), None);
    for whose in [Whose::Listed, Whose::Of(player)] {
        assert_eq!(games.list(ListQuery { whose, limit: 10, ..ListQuery::default() }).await.unwrap(), []);
    }
    assert_eq!(games.games_over(later(2), 10).await.unwrap(), [other]);
    assert_eq!(games.load(other).await.unwrap().unwrap().steps.len(), 2, "the others are whole");
}

pub async fn a_game_that_is_not_over_or_had_a_step_since_stays(Fixture { games, .. }: &Fixture) {
    for (status, updated_at) in [(Status::Lobby, later(1)), (Status::Active, later(1)), (Status::Finished, later(2))] {
        let game = left(games, status, updated_at).await;
        assert!(!games.remove(game, later(2)).await.unwrap(), "{status:?}");
        assert_eq!(games.load(game).await.unwrap().unwrap().steps.len(), 2, "{status:?}");
    }
    assert_eq!(games.games_over(later(2), 10).await.unwrap(), []);
}

pub async fn a_game_is_removed_once(Fixture { games, .. }: &Fixture) {
    let game = left(games, Status::Finished, later(1)).await;
    assert!(games.remove(game, later(2)).await.unwrap());
    assert!(!games.remove(game, later(2)).await.unwrap());
    assert_eq!(games.append(append(game, 3)).await.unwrap(), Appended::Conflict, "it goes on for nobody");
}
