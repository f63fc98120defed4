//! Lists and invites, which follow from the heads.

use crate::fixture::Fixture;
use crate::samples::{append, with_head};
use futures::future::join_all;
use ludotheque::games::ports::{Appended, Head, ListQuery, Status, Store, StoreError, Whose};
use ludotheque::ids::{GameId, PlayerId};
use std::sync::Arc;

async fn set(store: &Arc<dyn Store>, game: GameId, version: u64, change: impl FnOnce(&mut Head)) {
    assert_eq!(store.append(with_head(game, version, change)).await.unwrap(), Appended::Stored(version));
}

async fn listed(store: &Arc<dyn Store>, kind: &str, status: Status) -> GameId {
    let game = GameId::new();
    set(store, game, 1, |head| (head.listed, head.kind, head.status) = (true, kind.to_owned(), status)).await;
    game
}

async fn list(store: &Arc<dyn Store>, query: ListQuery) -> Vec<GameId> {
    store.list(ListQuery { limit: 100, ..query }).await.unwrap().into_iter().map(|(game, _)| game).collect()
}

fn of(player: PlayerId) -> ListQuery {
    ListQuery { whose: Whose::Of(player), ..ListQuery::default() }
}

pub async fn a_list_is_newest_first_and_goes_on_before_any_game(Fixture { games, .. }: &Fixture) {
    let mut all = Vec::new();
    for n in 0..12 {
        all.insert(0, listed(games, ["CHIPS", "LOADING", "CHIP"][n % 3], Status::ALL[n % 4]).await);
    }
    assert_eq!(list(games, ListQuery::default()).await, all);
    let mut paged = Vec::new();
    while let Some((game, head)) =
        games.list(ListQuery { before: paged.last().copied(), limit: 1, ..ListQuery::default() }).await.unwrap().pop()
    {
        assert_eq!(games.head(game).await.unwrap(), Some(head));
        paged.push(game);
    }
    assert_eq!(paged, all);
    assert_eq!(list(games, ListQuery { before: Some(all[6]), ..ListQuery::default() }).await, all[7..]);
    assert_eq!(games.list(ListQuery { limit: 5, ..ListQuery::default() }).await.unwrap().len(), 5);
    assert_eq!(games.list(ListQuery { limit: 0, ..ListQuery::default() }).await.unwrap().len(), 0);
}

pub async fn the_public_list_has_listed_games_only(Fixture { games, .. }: &Fixture) {
    let shown = listed(games, "CHIPS", Status::Lobby).await;
    games.append(append(GameId::new(), 1)).await.unwrap();
    assert_eq!(list(games, ListQuery::default()).await, [shown]);
}

pub async fn a_text_that_no_database_takes_is_the_kind_of_no_game(Fixture { games, .. }: &Fixture) {
    listed(games, "CHIPS", Status::Lobby).await;
    let player = PlayerId::new();
    for kind in ["\0", "CHIPS\0", "", "\u{FFFF}", "'; --", &"K".repeat(2000)] {
        for whose in [Whose::Listed, Whose::Of(player), Whose::WaitingFor(player)] {
            let query = ListQuery { whose, kind: Some(kind.to_owned()), ..ListQuery::default() };
            assert_eq!(list(games, query).await, [], "{kind:?}");
        }
    }
    assert_eq!(games.game_of_invite("\0").await.unwrap(), None);
}

pub async fn lists_follow_the_head(Fixture { games, .. }: &Fixture) {
    let (ann, bob) = (PlayerId::new(), PlayerId::new());
    let game = listed(games, "CHIPS", Status::Lobby).await;
    set(games, game, 2, |head| (head.status, head.listed, head.members) = (Status::Active, true, vec![ann, bob])).await;
    let lobby = ListQuery { status: Some(Status::Lobby), ..ListQuery::default() };
    assert_eq!(list(games, lobby).await, []);
    assert_eq!(list(games, ListQuery::default()).await, [game]);
    assert_eq!(list(games, of(bob)).await, [game]);
    set(games, game, 3, |head| (head.status, head.members) = (Status::Active, vec![ann])).await;
    assert_eq!(list(games, ListQuery::default()).await, []);
    assert_eq!(list(games, of(ann)).await, [game]);
    assert_eq!(list(games, of(bob)).await, []);
    set(games, game, 4, |head| (head.status, head.listed) = (Status::Finished, true)).await;
    assert_eq!(list(games, of(ann)).await, []);
    assert_eq!(list(games, ListQuery { status: Some(Status::Finished), ..ListQuery::default() }).await, [game]);
}

pub async fn a_list_can_be_of_one_kind_and_one_status(Fixture { games, .. }: &Fixture) {
    let chips = listed(games, "CHIPS", Status::Lobby).await;
    let over = listed(games, "CHIPS", Status::Abandoned).await;
    let other = listed(games, "CHIPSY", Status::Lobby).await;
    let query =
        |kind: Option<&str>, status| ListQuery { kind: kind.map(str::to_owned), status, ..ListQuery::default() };
    assert_eq!(list(games, query(Some("CHIPS"), None)).await, [over, chips]);
    assert_eq!(list(games, query(None, Some(Status::Lobby))).await, [other, chips]);
    assert_eq!(list(games, query(Some("CHIPS"), Some(Status::Lobby))).await, [chips]);
    assert_eq!(list(games, query(Some("CHIP"), None)).await, []);
    assert_eq!(list(games, query(None, Some(Status::Finished))).await, []);
}

pub async fn a_member_finds_the_game_and_others_do_not(Fixture { games, .. }: &Fixture) {
    let mut players = [PlayerId::new(), PlayerId::new(), PlayerId::new()];
    players.sort();
    let [ann, bob, eve] = players;
    let (both, hers) = (GameId::new(), GameId::new());
    set(games, both, 1, |head| head.members = vec![ann, bob]).await;
    set(games, hers, 1, |head| (head.members, head.kind) = (vec![ann], "LOADING".to_owned())).await;
    assert_eq!(list(games, of(ann)).await, [hers, both]);
    assert_eq!(list(games, of(bob)).await, [both]);
    assert_eq!(list(games, of(eve)).await, []);
    assert_eq!(list(games, ListQuery { kind: Some("LOADING".to_owned()), ..of(ann) }).await, [hers]);
    assert_eq!(list(games, ListQuery { before: Some(hers), ..of(ann) }).await, [both]);
}

pub async fn whoever_is_waited_for_finds_the_game(Fixture { games, .. }: &Fixture) {
    let (ann, bob) = (PlayerId::new(), PlayerId::new());
    let mut active = Vec::new();
    for waiting in [vec![ann], vec![bob], vec![ann, bob]] {
        active.push(GameId::new());
        set(games, active[active.len() - 1], 1, |head| {
            (head.status, head.members, head.waiting) = (Status::Active, vec![ann, bob], waiting);
        })
        .await;
    }
    let lobby = GameId::new();
    set(games, lobby, 1, |head| (head.members, head.waiting) = (vec![ann], vec![ann])).await;
    let waiting = |player| ListQuery { whose: Whose::WaitingFor(player), ..ListQuery::default() };
    assert_eq!(list(games, waiting(ann)).await, [lobby, active[2], active[0]]);
    assert_eq!(list(games, waiting(bob)).await, [active[2], active[1]]);
    assert_eq!(list(games, ListQuery { status: Some(Status::Lobby), ..waiting(ann) }).await, [lobby]);
    assert_eq!(list(games, ListQuery { status: Some(Status::Finished), ..waiting(ann) }).await, []);
    let newest = games.list(ListQuery { limit: 1, ..waiting(bob) }).await.unwrap();
    assert_eq!(newest[0].0, active[2]);
}

/// Lobbies of a player's, every 100th of which waits for that player; those, newest first.
async fn lobbies_of(store: &Arc<dyn Store>, player: PlayerId, count: usize) -> Vec<GameId> {
    let games: Vec<_> = (0..count).map(|_| GameId::new()).collect();
    let appends = games.iter().enumerate().map(|(number, game)| {
        let waiting = if number % 100 == 0 { vec![player] } else { Vec::new() };
        store.append(with_head(*game, 1, |head| (head.members, head.waiting) = (vec![player], waiting)))
    });
    for outcome in join_all(appends.collect::<Vec<_>>()).await {
        assert_eq!(outcome.unwrap(), Appended::Stored(1));
    }
    games.into_iter().step_by(100).rev().collect()
}

pub async fn pages_of_those_who_wait_are_full_however_many_rows_lie_between(Fixture { games, .. }: &Fixture) {
    let player = PlayerId::new();
    let waiting = lobbies_of(games, player, 2000).await;
    assert_eq!(waiting.len(), 20);
    let mut before = None;
    for page in waiting.chunks(7) {
        let query = ListQuery { whose: Whose::WaitingFor(player), before, limit: 7, ..ListQuery::default() };
        let found: Vec<_> = games.list(query).await.unwrap().into_iter().map(|(game, _)| game).collect();
        assert_eq!(found, page);
        before = found.last().copied();
    }
    let query = ListQuery { whose: Whose::WaitingFor(player), before, limit: 7, ..ListQuery::default() };
    assert_eq!(games.list(query).await.unwrap(), []);
    let all = ListQuery { limit: 1500, ..of(player) };
    assert_eq!(games.list(all).await.unwrap().len(), 1500, "more than a slice has");
}

pub async fn games_of_a_player_are_counted_by_status_and_not_beyond_a_bound(Fixture { games, .. }: &Fixture) {
    let (ann, bob) = (PlayerId::new(), PlayerId::new());
    lobbies_of(games, ann, 600).await;
    lobbies_of(games, bob, 3).await;
    for kind in ["CHIPS", "LOADING"] {
        set(games, GameId::new(), 1, |head| {
            (head.status, head.kind, head.members) = (Status::Active, kind.to_owned(), vec![ann, bob]);
        })
        .await;
    }
    for (player, status, most, count) in [
        (ann, Status::Lobby, 1000, 600),
        (ann, Status::Lobby, 600, 600),
        (ann, Status::Lobby, 300, 300),
        (ann, Status::Lobby, 0, 0),
        (ann, Status::Active, 10, 2),
        (ann, Status::Finished, 10, 0),
        (bob, Status::Lobby, 10, 3),
        (bob, Status::Active, 1, 1),
    ] {
        assert_eq!(games.count_games(player, status, most).await.unwrap(), count, "{status:?} {most}");
    }
}

pub async fn an_invite_leads_to_its_game_as_long_as_it_has_it(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    set(games, game, 1, |head| head.invite = Some("first".to_owned())).await;
    assert_eq!(games.game_of_invite("first").await.unwrap(), Some(game));
    assert_eq!(games.game_of_invite("firs").await.unwrap(), None);
    set(games, game, 2, |head| head.invite = Some("second".to_owned())).await;
    assert_eq!(games.game_of_invite("first").await.unwrap(), None);
    assert_eq!(games.game_of_invite("second").await.unwrap(), Some(game));
    set(games, game, 3, |_| ()).await;
    assert_eq!(games.game_of_invite("second").await.unwrap(), None);
}

pub async fn an_invite_code_is_of_one_game(Fixture { games, .. }: &Fixture) {
    let (game, other) = (GameId::new(), GameId::new());
    set(games, game, 1, |head| head.invite = Some("code".to_owned())).await;
    let taken = with_head(other, 1, |head| head.invite = Some("code".to_owned()));
    assert!(matches!(games.append(taken).await, Err(StoreError::Unavailable(_))));
    assert_eq!(games.head(other).await.unwrap(), None);
    assert_eq!(games.game_of_invite("code").await.unwrap(), Some(game));
}
