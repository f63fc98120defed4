//! Sweeps: what is due goes, what is not stays, and a slice looks at no more rows than it may.

use crate::fixture::Fixture;
use crate::samples::{START, append, family, later, newcomer, player, revocation, with_command, with_head};
use ludotheque::games::ports::{Append, Appended, Cursor, Scope, Status, Store, StoreError, Swept};
use ludotheque::ids::{GameId, PlayerId};
use ludotheque::players::ports::{Family, Player, PlayerStore, Written};
use ludotheque::rules::Instant;
use std::sync::Arc;

/// Sweeps until all rows were looked at; says how many were removed. Slices of three rows, so that there are many.
async fn all<F>(sweep: impl Fn(Option<Cursor>, usize) -> F) -> usize
where
    F: Future<Output = Result<Swept, StoreError>>,
{
    let (mut removed, mut from) = (0, None);
    loop {
        let swept = sweep(from, 3).await.unwrap();
        assert!(swept.removed <= 3, "no more than it looked at");
        removed += swept.removed;
        from = swept.next;
        if from.is_none() {
            return removed;
        }
    }
}

async fn created(store: &Arc<dyn PlayerStore>, player: Player) -> Player {
    assert_eq!(store.create_player(player.clone(), family(player.id)).await.unwrap(), Written::Done);
    player
}

/// A guest who registered some hours after the start.
fn guest(hours: i64) -> Player {
    Player { created_at: later(hours), ..player(None) }
}

fn game_of(members: Vec<PlayerId>) -> Append {
    with_head(GameId::new(), 1, |head| head.members = members)
}

pub async fn guests_who_are_in_no_game_go_and_everybody_else_stays(Fixture { games, players, .. }: &Fixture) {
    let mut idle = Vec::new();
    let mut staying = vec![
        created(players, Player { created_at: START, ..player(Some("Ann")) }).await,
        players.admit_player(newcomer("them", "bob")).await.unwrap(),
    ];
    for _ in 0..7 {
        idle.push(created(players, guest(0)).await);
        staying.push(created(players, guest(10)).await);
        let member = created(players, guest(0)).await;
        games.append(game_of(vec![member.id])).await.unwrap();
        staying.push(member);
    }
    let deleted = created(players, player(Some("Eve"))).await;
    let gone = Player { revision: 2, username: None, password_hash: None, deleted: true, ..deleted };
    assert_eq!(players.delete_player(gone.clone(), None).await.unwrap(), Written::Done);
    idle.push(gone);
    let sweep = |from, limit| players.remove_idle_guests(later(10), from, limit);
    assert_eq!(all(sweep).await, idle.len());
    for player in &idle {
        assert_eq!(players.player(player.id).await.unwrap(), None);
    }
    for player in &staying {
        assert_eq!(players.player(player.id).await.unwrap().as_ref(), Some(player));
    }
    assert_eq!(all(sweep).await, 0, "nothing is left to do");
}

pub async fn a_guest_goes_once_the_last_game_is_gone(Fixture { games, players, .. }: &Fixture) {
    let ann = created(players, guest(0)).await;
    let game = GameId::new();
    let over = |head: &mut ludotheque::games::ports::Head| {
        (head.members, head.status) = (vec![ann.id], Status::Finished);
    };
    games.append(with_head(game, 1, over)).await.unwrap();
    let sweep = |from, limit| players.remove_idle_guests(later(10), from, limit);
    assert_eq!(all(sweep).await, 0);
    assert!(games.remove(game, later(1)).await.unwrap());
    assert_eq!(all(sweep).await, 1);
}

/// The guest joins in the very commit that would remove them, or just before or after it.
pub async fn a_guest_who_joins_a_game_meanwhile_stays(Fixture { games, players, .. }: &Fixture) {
    for _ in 0..20 {
        let ann = created(players, guest(0)).await;
        let joining = games.append(game_of(vec![ann.id]));
        let (joined, swept) = tokio::join!(joining, players.remove_idle_guests(later(10), None, 100));
        assert_eq!(joined.unwrap(), Appended::Stored(1));
        swept.unwrap();
        if !games.is_shared() {
            assert!(players.player(ann.id).await.unwrap().is_some(), "the game was queued first");
        }
    }
}

pub async fn a_token_of_a_guest_who_is_gone_finds_no_session(Fixture { players, .. }: &Fixture) {
    let ann = guest(0);
    let sign_in = family(ann.id);
    players.create_player(ann.clone(), sign_in.clone()).await.unwrap();
    assert_eq!(all(|from, limit| players.remove_idle_guests(later(1), from, limit)).await, 1);
    assert_eq!(players.session(ann.id, sign_in.id).await.unwrap(), (None, Some(sign_in.clone())));
    let rename = Player { revision: 2, ..ann };
    assert_eq!(players.update_player(rename).await.unwrap(), Written::Conflict);
    let expired = later(24 + 24);
    assert_eq!(all(|from, limit| players.remove_ended_sign_ins(expired, from, limit)).await, 1);
    assert_eq!(players.family(sign_in.id).await.unwrap(), None);
}

pub async fn sign_ins_that_have_ended_go_and_live_ones_stay(Fixture { players, .. }: &Fixture) {
    let ann = created(players, player(Some("Ann"))).await;
    let (mut ended, mut live) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let revoked = family(ann.id);
        players.create_family(revoked.clone()).await.unwrap();
        players.revoke_family(revoked.id).await.unwrap();
        let expired = Family { expires_at: later(1), ..family(ann.id) };
        players.create_family(expired.clone()).await.unwrap();
        ended.extend([revoked, expired]);
        // Expired, but not for a day yet.
        for hours in [2, 24, 100] {
            let alive = Family { expires_at: later(hours), ..family(ann.id) };
            players.create_family(alive.clone()).await.unwrap();
            live.push(alive);
        }
    }
    assert_eq!(all(|from, limit| players.remove_ended_sign_ins(later(25), from, limit)).await, ended.len());
    for family in &ended {
        assert_eq!(players.family(family.id).await.unwrap(), None);
        players.revoke_family(family.id).await.unwrap();
        let next = Family { generation: 2, ..family.clone() };
        assert_eq!(players.rotate_family(next).await.unwrap(), Written::Conflict, "it can't come back");
    }
    for family in &live {
        assert_eq!(players.family(family.id).await.unwrap().as_ref(), Some(family));
    }
}

pub async fn revocations_go_when_the_tokens_have_expired(Fixture { players, .. }: &Fixture) {
    for number in 0..10 {
        let mut noted = revocation([number; 32]);
        noted.needed_until = later(i64::from(number));
        players.revoke_tokens(noted).await.unwrap();
    }
    assert_eq!(all(|from, limit| players.remove_expired_revocations(later(6), from, limit)).await, 7);
    for number in 0..10 {
        assert_eq!(players.is_revoked(&[[number; 32]], START).await.unwrap(), number > 6);
    }
}

pub async fn idempotency_keys_go_after_a_day_and_not_before(Fixture { games, .. }: &Fixture) {
    let game = GameId::new();
    let within = Scope { player: PlayerId::new(), game: Some(game) };
    let creating = Scope { game: None, ..within };
    for version in 1..=12 {
        let scope = if version % 2 == 0 { within } else { creating };
        let mut append = with_command(game, version, scope, &format!("key {version}"));
        append.step.at = later(i64::try_from(version).unwrap());
        games.append(append).await.unwrap();
    }
    let mut now = later(24 + 6);
    now.0 -= 1;
    assert_eq!(all(|from, limit| games.remove_expired_commands(now, from, limit)).await, 5);
    for version in 1..=12 {
        let scope = if version % 2 == 0 { within } else { creating };
        let found = games.command(scope, &format!("key {version}"), START).await.unwrap();
        assert_eq!(found.is_some(), version > 5, "key {version}");
    }
}

async fn over(store: &Arc<dyn Store>, status: Status, updated_at: Instant) -> GameId {
    let game = GameId::new();
    store.append(append(game, 1)).await.unwrap();
    let last = with_head(game, 2, |head| (head.status, head.updated_at) = (status, updated_at));
    assert_eq!(store.append(last).await.unwrap(), Appended::Stored(2));
    game
}

pub async fn abandoned_games_are_found_in_the_order_of_time_each_once(Fixture { games, .. }: &Fixture) {
    let mut due = Vec::new();
    for hours in 1..8 {
        over(games, Status::Finished, later(hours)).await;
        due.push(over(games, Status::Abandoned, later(hours)).await);
        over(games, Status::Active, later(hours)).await;
    }
    let (mut found, mut from) = (Vec::new(), None);
    loop {
        let (here, next) = games.abandoned_games(later(6), from.clone(), 2).await.unwrap();
        found.extend(here);
        let Some(next) = next else { break };
        from = Some(next);
    }
    assert_eq!(found, due[..5]);
    // Where it ended it goes on with what has become due since, and with nothing else.
    let (here, next) = games.abandoned_games(later(8), from, 100).await.unwrap();
    assert_eq!((here, next.is_some()), (due[5..].to_vec(), true));
    assert_eq!(games.abandoned_games(later(0), None, 100).await.unwrap(), (Vec::new(), None));
    assert_eq!(games.abandoned_games(later(0), next, 100).await.unwrap(), (Vec::new(), None));
}
