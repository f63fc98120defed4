//! Every kind in the catalogue, played over HTTP from lobby to end by clients that know no game: each follows its own
//! stream, lists its legal moves and sends one back. Chips has a bigger test of its own (`playing`).

use futures::future::join_all;
use ludotheque::rules::{Dice, catalog};
use serde_json::{Value, json};
use test_support::table::verified;
use test_support::{Player, Server, dice, pick};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_is_played_to_its_end_by_clients_that_know_no_game() {
    let server = Server::start().await;
    for rules in catalog::BUILT_IN.newest_of_all() {
        let info = rules.info();
        for seats in [*info.seats.start(), *info.seats.end()] {
            play(&server, info.kind, seats).await;
        }
    }
}

async fn play(server: &Server, kind: &str, seats: u8) {
    let table = server.lobby(seats, json!({"kind": kind})).await;
    let spectator = table.spectator();
    let clients = (0..).zip(&table.players).map(|(number, player)| client(&table.game, player, Some(number)));
    let (seen, watched, _) = futures::join!(join_all(clients), client(&table.game, &spectator, None), async {
        table.players[0].starts(&table.game).await.ok()
    });
    let replay = table.replay().await;
    let steps = verified(&replay).steps.len();
    assert!(steps > usize::from(seats) + 2, "{kind}: something was played");
    let viewers = table.players.iter().zip(&seen).chain([(&spectator, &watched)]);
    for (viewer, stream) in viewers {
        let versions: Vec<_> = stream.iter().map(|step| step["version"].as_u64()).collect();
        let due: Vec<_> = (1..=steps as u64).map(Some).collect();
        assert_eq!(versions, due, "{kind}: no gap, none twice");
        assert_eq!(&viewer.reads_events(&table.game, 50).await, stream, "{kind}: pages tell what the stream told");
        let game = viewer.sees(&table.game).await;
        assert_eq!((&game["status"], &game["outcome"]), (&json!("FINISHED"), &replay["outcome"]), "{kind}");
        assert_eq!(game["version"], steps);
    }
}

/// Follows a game to its end; a client with a seat plays a random legal move whenever there is one.
async fn client(game: &str, player: &Player, seat: Option<u64>) -> Vec<Value> {
    let mut dice = dice(seat.unwrap_or(99));
    let mut stream = player.follows(game).await;
    let mut steps = Vec::new();
    while let Some(step) = stream.next().await {
        steps.push(step);
        if seat.is_some() {
            plays_some_move(game, player, &mut dice).await;
        }
    }
    steps
}

/// Plays a random legal move, if there is one. Where everybody plays at once, another may have been faster: then it is
/// some other move.
async fn plays_some_move(game: &str, player: &Player, dice: &mut Dice) {
    for _ in 0..1000 {
        let moves = player.moves(game).await;
        if moves.is_empty() {
            return;
        }
        let mv: &String = pick(dice, &moves);
        let answer = player.plays(game, mv).await;
        if answer.status != 409 {
            answer.ok();
            return;
        }
    }
    panic!("{game}: always too late");
}
