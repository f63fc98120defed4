//! Move deadlines: when each seat's time started, when a seat is late, and when an idle lobby expires.

use super::game::Game;
use super::options::MOVE_SECONDS;
use crate::games::ports::Status;
use crate::rules::{Instant, Seat, Turn};

/// A lobby without a step for this many milliseconds is abandoned.
pub const LOBBY_PATIENCE: i64 = 24 * 60 * 60 * 1000;

/// The seats that the game waits for, each with the start of its time.
pub type Clocks = Vec<(Seat, Instant)>;

impl Game {
    /// When the first of the people in [`Game::waiting`] will be late; None without a time limit. Bots are never late: they
    /// move as soon as they can, or wait for their team.
    pub fn deadline(&self) -> Option<Instant> {
        let patience = self.patience()?;
        let people = self.waiting.iter().filter(|(seat, _)| self.bot_on(*seat).is_none());
        people.map(|(_, since)| Instant(since.0.saturating_add(patience))).min()
    }

    /// The seats whose time has run out.
    pub(in crate::games) fn late_seats(&self, now: Instant) -> Vec<Seat> {
        self.late_by(&self.waiting, now)
    }

    /// The seats whose time has run out by the clocks of earlier builds.
    pub(in crate::games) fn late_seats_v1(&self, now: Instant) -> Vec<Seat> {
        self.late_by(&self.waiting_v1, now)
    }

    fn late_by(&self, clocks: &Clocks, now: Instant) -> Vec<Seat> {
        let Some(patience) = self.patience() else { return Vec::new() };
        let late = |since: &Instant| now.0.saturating_sub(since.0) >= patience;
        let is_late = |(seat, since): &&(Seat, Instant)| late(since) && self.bot_on(*seat).is_none();
        clocks.iter().filter(is_late).map(|(seat, _)| *seat).collect()
    }

    /// Whether this lobby has been idle for too long.
    pub(in crate::games) fn is_idle_lobby(&self, now: Instant) -> bool {
        self.status == Status::Lobby && now.0.saturating_sub(self.updated_at.0) >= LOBBY_PATIENCE
    }

    /// Updates the clocks after a step.
    ///
    /// The rules may name a moment before which nobody can act. Until a step lets the seats act, the game waits for
    /// nobody, even after that moment has passed, because a game changes only by a step. That step starts their clocks.
    pub(in crate::games) fn set_clocks(&mut self, before: &Game, acted: Option<Seat>, at: Instant) {
        let running = self.running.as_ref().filter(|_| self.status == Status::Active);
        let seats = match running.map(|running| self.rules.turn(&running.state)) {
            Some(Turn::Waiting(seats)) => seats,
            Some(Turn::Over(_)) | None => Vec::new(),
        };
        let opens = running.and_then(|running| self.rules.waits_from(&running.state));
        let able: &[Seat] = if opens.is_some() { &[] } else { seats.as_slice() };
        self.waiting = continue_clocks(&before.waiting, able, acted, at);
        self.waiting_v1 = continue_clocks(&before.waiting_v1, &seats, acted, opens.map_or(at, |opens| opens.max(at)));
    }

    fn patience(&self) -> Option<i64> {
        let seconds = self.options.0.get(MOVE_SECONDS)?.as_i64()?;
        (seconds > 0).then(|| seconds.saturating_mul(1000))
    }
}

/// A seat's time starts when the game begins to wait for it, and restarts with each of its own moves.
fn continue_clocks(before: &Clocks, seats: &[Seat], acted: Option<Seat>, at: Instant) -> Clocks {
    let since = |seat: Seat| {
        let before = before.iter().find(|(waiting, _)| *waiting == seat && acted != Some(seat));
        before.map_or(at, |(_, since)| *since)
    };
    seats.iter().map(|seat| (*seat, since(*seat))).collect()
}

#[cfg(test)]
mod tests {
    use crate::games::error::GameError;
    use crate::games::game::Game;
    use crate::games::options::read_options;
    use crate::games::step::{Action, Creation, Step, Text, Visibility};
    use crate::ids::{GameId, PlayerId};
    use crate::rules::{Instant, Seat, Seed, catalog};
    use serde_json::json;

    const DAY: i64 = 24 * 60 * 60 * 1000;
    const SECOND: i64 = 1000;

    /// A game and its steps, as a store would hold them.
    struct History {
        game: Game,
        steps: Vec<Step>,
    }

    impl History {
        fn takes(&mut self, by: PlayerId, action: Action, at: i64) {
            let applied = self.game.apply(Some(by), &action, Instant(at)).expect("it can be done");
            let (version, events) = (applied.game.version, applied.events);
            self.steps.push(Step { version, at: Instant(at), by: Some(by), seat: applied.seat, action, events });
            self.game = applied.game;
        }
    }

    /// Two players with 1000 seconds per move; day 1 was opened, and both voted to give it up.
    fn between_two_days() -> (History, [PlayerId; 2]) {
        let players = [PlayerId::new(), PlayerId::new()];
        let rules = catalog::BUILT_IN.newest("SANTA_RESCUE").unwrap();
        let options = json!({"calendar": "ADVENT", "year": 2026, "moveSeconds": 1000});
        let creation = Creation {
            kind: rules.info().kind.to_owned(),
            rules_version: rules.info().rules_version,
            options: read_options(rules, &options, 2).unwrap(),
            seats: players.map(Some).to_vec(),
            visibility: Visibility::Public,
            invite: None,
            seed: Seed([7; 32]),
        };
        let (game, events) = Game::create(GameId::new(), rules, players[0], &creation, &[], Instant(0));
        let action = Action::Create(Box::new(creation));
        let made = Step { version: 1, at: Instant(0), by: Some(players[0]), seat: Some(Seat(0)), action, events };
        let mut history = History { game, steps: vec![made] };
        let opens: Vec<_> = (1..=24).map(|day| Instant(day * DAY)).collect();
        history.takes(players[0], Action::Begin { prepared: Text(json!({"opensAt": opens})) }, 1);
        for (player, mv) in [(0, "open"), (0, "wish"), (1, "wish")] {
            history.takes(players[player], Action::Play { mv: mv.into() }, DAY + SECOND);
        }
        (history, players)
    }

    #[test]
    fn nobody_is_waited_for_while_nobody_can_act() {
        let (History { game, .. }, [_, bob]) = between_two_days();
        let later = Instant(DAY + 5_000 * SECOND);
        assert_eq!((game.waiting_for(), game.deadline(), game.late_seats(later)), (vec![], None, vec![]));
        assert_eq!(game.head().waiting, []);
        let called = game.apply(Some(bob), &Action::TimeOutSeats { seats: vec![Seat(0)] }, later);
        assert!(matches!(called, Err(GameError::NotLate)));
        let opened = game.apply(Some(bob), &Action::Play { mv: "open".into() }, Instant(3 * DAY)).unwrap().game;
        assert_eq!(opened.deadline(), Some(Instant(3 * DAY + 1000 * SECOND)));
    }

    #[test]
    fn such_games_stored_by_builds_up_to_9dc07ca_still_verify() {
        let (mut history, [ada, bob]) = between_two_days();
        // Earlier builds waited for everybody between two days, and counted the time since the previous day.
        let stored = history.game.head_v1();
        assert_eq!(stored.waiting, [ada, bob]);
        Game::verify(catalog::BUILT_IN, history.game.id, &stored, &history.steps).unwrap();
        history.takes(bob, Action::TimeOut, DAY + 1001 * SECOND);
        assert_eq!(history.game.resigned, [Seat(0)]);
        Game::verify(catalog::BUILT_IN, history.game.id, &history.game.head_v1(), &history.steps).unwrap();
        let folded = Game::fold(catalog::BUILT_IN, history.game.id, &history.steps).unwrap();
        assert_eq!((folded.head(), folded.chain), (history.game.head(), history.game.chain));
        // The game continues, and Bob is not late.
        let called = folded.apply(Some(bob), &Action::TimeOutSeats { seats: vec![Seat(1)] }, Instant(3 * DAY));
        assert!(matches!(called, Err(GameError::NotLate)));
    }
}
