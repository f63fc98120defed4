//! Games, players and sign-ins to store. What a step holds follows from its game and version, so that a torn or
//! misplaced one is seen by comparing.

use ludotheque::games::ports::{Append, Appended, Command, Head, Scope, Status, Store};
use ludotheque::games::step::{Action, Creation, Event, KindEvent, KindMove, Step, TableEvent, Text, Visibility};
use ludotheque::ids::{FamilyId, GameId, PlayerId};
use ludotheque::players::ports::{Family, Player, Revocation, Sha256Digest, Subject};
use ludotheque::rules::{Instant, Seat, Seed, any::AnyEvent};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

pub const HOUR: i64 = 60 * 60 * 1000;
pub const START: Instant = Instant(1_700_000_000_000);

pub fn later(hours: i64) -> Instant {
    Instant(START.0 + hours * HOUR)
}

pub fn step(game: GameId, version: u64) -> Step {
    let action = match version {
        1 => Action::Create(Box::new(Creation {
            kind: "CHIPS".to_owned(),
            rules_version: 1,
            options: Text(serde_json::json!({"table": "short", "of": game.to_string()})),
            seats: vec![None; 3],
            visibility: Visibility::Unlisted,
            invite: Some(format!("code of {game}")),
            seed: Seed([9; 32]),
        })),
        2 => Action::Configure { seats: 2, options: Text(serde_json::json!([1, "two", null])) },
        _ => Action::Play { mv: KindMove::Notation(format!("move {version} of {game}")) },
    };
    let events = vec![
        Event::Table(TableEvent::StoodUp { seat: Seat(1) }),
        Event::Rules(KindEvent(AnyEvent::encoded(format!("{game}/{version}").into_bytes()))),
    ];
    Step { version, at: START, by: None, seat: Some(Seat(0)), action, events }
}

pub fn head(version: u64) -> Head {
    Head {
        version,
        status: Status::Lobby,
        kind: "CHIPS".to_owned(),
        updated_at: START,
        listed: false,
        invite: None,
        members: Vec::new(),
        waiting: Vec::new(),
    }
}

/// The step to a version, with nothing special about it. Each stands or falls by itself.
pub fn append(game: GameId, version: u64) -> Append {
    static EPOCHS: AtomicU64 = AtomicU64::new(1);
    let epoch = EPOCHS.fetch_add(1, Ordering::Relaxed);
    let (expected, step, head) = (version - 1, step(game, version), head(version));
    Append { game, expected, step, head, snapshot: None, command: None, epoch }
}

/// Appends every step up to a version, with a snapshot at every 16th.
pub async fn play(store: &dyn Store, game: GameId, versions: RangeInclusive<u64>) {
    let appends: Vec<_> = versions
        .map(|version| {
            let snapshot = version.is_multiple_of(16).then(|| snapshot(version));
            store.append(Append { snapshot, ..append(game, version) })
        })
        .collect();
    for outcome in appends {
        assert!(matches!(outcome.await.unwrap(), Appended::Stored(_)));
    }
}

/// What a snapshot of a version holds.
pub fn snapshot(version: u64) -> Vec<u8> {
    version.to_be_bytes().to_vec()
}

pub fn with_head(game: GameId, version: u64, change: impl FnOnce(&mut Head)) -> Append {
    let mut append = append(game, version);
    change(&mut append.head);
    append
}

pub fn with_command(game: GameId, version: u64, scope: Scope, key: &str) -> Append {
    let command = Command { scope, key: key.to_owned(), digest: [7; 32] };
    Append { command: Some(command), ..append(game, version) }
}

pub fn player(username: Option<&str>) -> Player {
    Player {
        username: username.map(str::to_owned),
        password_hash: username.map(|name| format!("hash of {name}")),
        ..Player::new("Ann".to_owned(), START)
    }
}

/// Somebody whom an issuer vouches for.
pub fn newcomer(issuer: &str, sub: &str) -> Player {
    let subject = Subject { issuer: issuer.to_owned(), sub: sub.to_owned() };
    Player { subject: Some(subject), ..player(None) }
}

/// A mark of a player's own.
pub fn mark(player: PlayerId) -> Sha256Digest {
    [*player.as_bytes(); 2].concat().try_into().unwrap()
}

/// Ends what was issued in the first hour.
pub fn revocation(mark: Sha256Digest) -> Revocation {
    Revocation { mark, issued_until: later(1), needed_until: later(24) }
}

pub fn family(player: PlayerId) -> Family {
    let id = FamilyId::new();
    Family {
        id,
        player,
        era: 0,
        generation: 1,
        token_hash: [1; 32],
        expires_at: later(24),
        revoked: false,
        succession: None,
    }
}
