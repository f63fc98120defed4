//! Plays with the client that OpenAPI Generator makes for Rust, and prints a line for each kind. Knows no game: it sends back
//! the id of a legal move.

use ludotheque_rust::apis::{configuration::Configuration, games_api, kinds_api, play_api, players_api};
use ludotheque_rust::models::{CreateGame, Game, Play, Register, Status};

/// Enough to have seen most of a kind; who is not done by then gives up.
const MOVES: usize = 150;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let anybody = Configuration { base_path: std::env::var("LUDOTHEQUE_URL")?, ..Configuration::default() };
    for kind in kinds_api::list_kinds(&anybody, None)?.items {
        match play(&anybody, &kind.kind, kind.seats.least) {
            Ok(()) => println!("ok rust plays {}", kind.kind),
            Err(why) => println!("not ok rust plays {}: {why}", kind.kind),
        }
    }
    Ok(())
}

fn guest(anybody: &Configuration, name: String) -> Outcome<Configuration> {
    let tokens = players_api::create_player(anybody, Register::new(name))?;
    Ok(Configuration { bearer_access_token: Some(tokens.access_token), ..anybody.clone() })
}

fn play(anybody: &Configuration, kind: &str, seats: u8) -> Outcome<()> {
    let players = (0..seats).map(|seat| guest(anybody, format!("Seat {seat}"))).collect::<Outcome<Vec<_>>>()?;
    let mut wanted = CreateGame::new(serde_json::from_value(kind.into())?);
    wanted.seats = Some(Some(seats));
    let id = games_api::create_game(&players[0], wanted, None)?.id;
    for player in &players[1..] {
        games_api::create_seat(player, &id, None, None)?;
    }
    let mut game: Game = games_api::start_game(&players[0], &id, None)?;
    let mut played = 0;
    while game.status == Status::Active && played < MOVES {
        // With simultaneous moves, `waitingFor` may be empty.
        let seat = game.waiting_for.first().map_or(played % players.len(), |seat| usize::from(*seat));
        let moves = play_api::list_legal_moves(&players[seat], &id)?.moves;
        let mut mv = Play::new();
        mv.id = Some(Some(moves.get(played * 7 % moves.len().max(1)).ok_or("nothing to play")?.id.clone()));
        game = *play_api::play_move(&players[seat], &id, mv, None)?.game;
        played += 1;
    }
    for player in &players {
        if game.status == Status::Active {
            game = *play_api::resign_game(player, &id, None)?.game;
        }
    }
    let replayed = games_api::get_replay(&players[0], &id)?.steps.len();
    let told = play_api::list_events(&players[0], &id, None, Some(1000), None)?.items.len();
    if replayed == told && told > played { Ok(()) } else { Err(format!("{replayed} steps, {told} told").into()) }
}
