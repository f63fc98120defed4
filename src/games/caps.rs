//! Caps on what one player, one address and one game may hold. A request that would exceed a cap is refused with the
//! name of the cap and changes nothing.

use super::Games;
use super::error::GameError;
use super::game::Game;
use super::ports::{ListQuery, Status, Whose};
use super::step::{Action, Text};
use crate::ids::PlayerId;
use crate::quota::{Bucket, Client, Limited};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// Caps per player and per address; 0 disables one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caps {
    /// Lobbies that a player may host at once.
    pub hosted_lobbies: u32,
    /// Unfinished games, lobbies included, that a player may be in at once.
    pub open_games: u32,
    /// Games that one address may create per hour.
    pub created_per_hour: u32,
}

/// A cap that a request would exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    /// Name for programs.
    pub name: &'static str,
    /// Key of the sentence for people.
    pub(super) text: &'static str,
    /// The maximum.
    pub most: u32,
}

/// Steps before the start. Sitting down and standing up costs one each, and anyone who finds a lobby can do it. The
/// last steps are therefore reserved for seated players, who still have to choose, and the very last for the host,
/// who can reduce the number of seats and start.
const LOBBY_STEPS: u32 = 1_000;
const LOBBY_STEPS_WITH_CHOICES: u32 = 900;
const LOBBY_STEPS_WITH_SEATS: u32 = 800;
/// After this many steps asides are refused; the rest is reserved for moves.
const STEPS_WITH_ASIDES: u32 = 4_000;
/// Steps of a game in total. The longest campaigns take some hundreds.
const STEPS: u32 = 5_000;
/// Players that an invite code may admit to one game.
const INVITED: u32 = 100;

/// Bytes of text in one step: far more than any kind needs, and far less than the store can hold.
const STEP_BYTES: usize = 16 << 10;

/// State that the caps keep between requests.
pub(super) struct CapState {
    caps: Caps,
    created: Option<Bucket<IpAddr>>,
    /// Held from counting to the append of the step, so that concurrent requests of one player cannot exceed a cap
    /// together.
    entering: Mutex<HashMap<PlayerId, Weak<AsyncMutex<()>>>>,
}

impl From<Caps> for CapState {
    fn from(caps: Caps) -> Self {
        Self { caps, created: Bucket::per_hour(caps.created_per_hour), entering: Mutex::default() }
    }
}

/// Permit to enter one more game. Other such requests of the player wait until it is dropped.
pub(super) struct Entering(#[expect(dead_code, reason = "held, not read")] OwnedMutexGuard<()>);

impl CapState {
    async fn enter(&self, player: PlayerId) -> Entering {
        let mutex = {
            let mut entering = self.entering.lock().unwrap_or_else(PoisonError::into_inner);
            if entering.len() == entering.capacity() {
                entering.retain(|_, mutex| mutex.strong_count() > 0);
            }
            let known = entering.get(&player).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let mutex = Arc::default();
                entering.insert(player, Arc::downgrade(&mutex));
                mutex
            })
        };
        Entering(mutex.lock_owned().await)
    }
}

impl Games {
    /// Checks the caps for creating a game: lobbies of the player and games of the address.
    pub(super) async fn room_to_create(&self, player: PlayerId, client: &Client) -> Result<Entering, GameError> {
        let entering = self.room_to_enter(player).await?;
        let most = self.caps.caps.hosted_lobbies;
        if most > 0 && self.has_lobbies(player, most as usize, |game| game.host == player).await? {
            return Err(cap("hostedLobbies", "game-cap-hosted-lobbies", most));
        }
        if let (Some(created), Some(address)) = (&self.caps.created, client.address) {
            created.take(&address, 1)?;
        }
        Ok(entering)
    }

    /// Checks the cap for joining a game.
    pub(super) async fn room_to_enter(&self, player: PlayerId) -> Result<Entering, GameError> {
        let entering = self.caps.enter(player).await;
        let most = self.caps.caps.open_games;
        if most > 0 {
            let active = self.store.count_games(player, Status::Active, most as usize).await?;
            let left = (most as usize).saturating_sub(active);
            if left == 0 || self.has_lobbies(player, left, |game| game.has_joined(player)).await? {
                return Err(cap("openGames", "game-cap-open-games", most));
            }
        }
        Ok(entering)
    }

    /// Whether a player is a member of at least `most` lobbies for which `counts` is true. Callers do not count lobbies
    /// that merely hold a seat for the player: otherwise strangers could use up the player's cap.
    async fn has_lobbies(
        &self,
        player: PlayerId,
        most: usize,
        counts: impl Fn(&Game) -> bool + Send + Sync,
    ) -> Result<bool, GameError> {
        if self.store.count_games(player, Status::Lobby, most).await? < most {
            // Fast path: fewer lobbies in all.
            return Ok(false);
        }
        let (mut counted, mut before) = (0, None);
        loop {
            let (whose, status) = (Whose::Of(player), Some(Status::Lobby));
            let page = self.store.list(ListQuery { whose, kind: None, status, before, limit: 100 }).await?;
            for (id, head) in &page {
                let game = self.sequencer.reached(*id, head.version).await?;
                counted += usize::from(game.is_some_and(|game| counts(&game)));
            }
            match page.last() {
                Some((last, _)) if counted < most => before = Some(*last),
                _ => return Ok(counted >= most),
            }
        }
    }
}

impl Game {
    /// Checks that the game may have one more step of this type. Leaving is always allowed: it happens at most once per
    /// player.
    pub(super) fn room_for(&self, action: &Action) -> Result<(), GameError> {
        check_length(action)?;
        let (count, most, name, text) = match action {
            Action::Enter => (self.invited.len() as u64, INVITED, "invitedPlayers", "game-cap-invited-players"),
            Action::Aside { .. } => (self.version, STEPS_WITH_ASIDES, "stepsWithAsides", "game-cap-steps-with-asides"),
            Action::Play { .. } | Action::BotPlay { .. } => return self.room_for_moves(),
            Action::Sit { .. } => (self.version, LOBBY_STEPS_WITH_SEATS, "lobbySteps", "game-cap-lobby-steps"),
            Action::Choose { .. } => (self.version, LOBBY_STEPS_WITH_CHOICES, "lobbySteps", "game-cap-lobby-steps"),
            Action::Configure { .. } | Action::AddBot { .. } => {
                (self.version, LOBBY_STEPS, "lobbySteps", "game-cap-lobby-steps")
            }
            _ => return Ok(()),
        };
        if count < u64::from(most) { Ok(()) } else { Err(cap(name, text, most)) }
    }

    /// Checks the cap on the steps of a game.
    pub(super) fn room_for_moves(&self) -> Result<(), GameError> {
        if self.version < u64::from(STEPS) { Ok(()) } else { Err(cap("steps", "game-cap-steps", STEPS)) }
    }
}

/// Checks the size of a step, so that the caller learns of a step that is too large, instead of the store failing.
pub(super) fn check_length(action: &Action) -> Result<(), GameError> {
    let length = match action {
        Action::Configure { options: Text(text), .. }
        | Action::Choose { choice: Text(text) }
        | Action::Begin { prepared: Text(text) } => text.to_string().len(),
        Action::Aside { aside } => aside.len(),
        Action::Play { mv } => mv.id().len(),
        _ => 0,
    };
    if length <= STEP_BYTES { Ok(()) } else { Err(GameError::TooLong { most: STEP_BYTES }) }
}

fn cap(name: &'static str, text: &'static str, most: u32) -> GameError {
    GameError::CapReached(Cap { name, text, most })
}

impl From<Limited> for GameError {
    fn from(limited: Limited) -> Self {
        Self::Limited(limited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::step::{Creation, KindMove, Visibility};
    use crate::ids::GameId;
    use crate::rules::{Instant, Seat, Seed, catalog};
    use serde_json::json;

    fn game(version: u32, invited: usize) -> Game {
        let rules = catalog::BUILT_IN.newest("CHIPS").unwrap();
        let creation = Creation {
            kind: rules.info().kind.to_owned(),
            rules_version: rules.info().rules_version,
            options: Text(json!({})),
            seats: vec![None; 2],
            visibility: Visibility::Unlisted,
            invite: None,
            seed: Seed([7; 32]),
        };
        let mut game = Game::create(GameId::new(), rules, PlayerId::new(), &creation, &[], Instant(1)).0;
        game.version = version.into();
        game.invited = (0..invited).map(|_| PlayerId::new()).collect();
        game
    }

    /// The cap that an action would exceed.
    fn met(game: &Game, action: &Action) -> Option<&'static str> {
        match game.room_for(action) {
            Ok(()) => None,
            Err(GameError::CapReached(cap)) => Some(cap.name),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn a_game_accepts_steps_and_players_up_to_its_caps() {
        let sit = Action::Sit { seat: None };
        let choose = Action::Choose { choice: Text(json!({})) };
        let configure = Action::Configure { seats: 2, options: Text(json!({})) };
        let (aside, play) = (Action::Aside { aside: "x".to_owned() }, Action::Play { mv: "x".into() });
        for (action, most, name) in [
            (&sit, LOBBY_STEPS_WITH_SEATS, "lobbySteps"),
            (&choose, LOBBY_STEPS_WITH_CHOICES, "lobbySteps"),
            (&configure, LOBBY_STEPS, "lobbySteps"),
            (&aside, STEPS_WITH_ASIDES, "stepsWithAsides"),
            (&play, STEPS, "steps"),
        ] {
            assert_eq!(met(&game(most - 1, 0), action), None);
            assert_eq!(met(&game(most, 0), action), Some(name));
        }
        assert_eq!(met(&game(2, INVITED as usize - 1), &Action::Enter), None);
        assert_eq!(met(&game(2, INVITED as usize), &Action::Enter), Some("invitedPlayers"));
    }

    #[test]
    fn strangers_who_sit_down_and_stand_up_leave_the_host_steps_to_start_with() {
        let mut lobby = game(2, 0);
        while met(&lobby, &Action::Sit { seat: None }).is_none() {
            // Stand up and sit down again.
            lobby.version += 2;
        }
        let fewer_seats = Action::Configure { seats: 2, options: Text(json!({})) };
        let choose = Action::Choose { choice: Text(json!({})) };
        assert!((0..100).all(|more| {
            let lobby = game(u32::try_from(lobby.version).unwrap() + more - 1, 0);
            met(&lobby, &fewer_seats).is_none() && met(&lobby, &choose).is_none()
        }));
        assert_eq!(met(&lobby, &Action::Start), None);
    }

    #[test]
    fn a_step_that_is_too_long_is_refused_before_it_is_stored() {
        let long = |length: usize| {
            [
                Action::Configure { seats: 2, options: Text(json!("x".repeat(length - 2))) },
                Action::Choose { choice: Text(json!("x".repeat(length - 2))) },
                Action::Aside { aside: "x".repeat(length) },
                Action::Play { mv: KindMove::Notation("x".repeat(length)) },
            ]
        };
        for action in long(STEP_BYTES) {
            assert!(game(2, 0).room_for(&action).is_ok());
        }
        for action in long(STEP_BYTES + 1) {
            assert!(matches!(game(2, 0).room_for(&action), Err(GameError::TooLong { most: STEP_BYTES })));
        }
    }

    #[test]
    fn leaving_is_possible_however_many_steps_there_were() {
        let resign = Action::Resign { seats: vec![Seat(0)] };
        let time_out = Action::TimeOutSeats { seats: vec![Seat(1)] };
        for action in [Action::Stand, resign, time_out, Action::Depart, Action::Expire] {
            assert_eq!(met(&game(2 * STEPS, 0), &action), None);
        }
    }
}
