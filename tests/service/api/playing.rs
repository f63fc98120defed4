//! Two hundred games of Chips from lobby to winner: every client on its own stream, and everything agrees.

use futures::future::join_all;
use futures::{StreamExt, stream};
use ludotheque::games::fairness::commitment;
use serde_json::Value;
use test_support::program::{ludotheque_unlimited, run};
use test_support::redact::told_all;
use test_support::table::verified;
use test_support::{Player, Server, Table, dice, pick};

const GAMES: u64 = 200;
/// How many are played at the same time.
const AT_A_TIME: usize = 10;

/// How a client follows its game.
#[derive(Clone, Copy)]
enum Connection {
    Steady,
    /// Disconnects after every few steps, and resumes with `Last-Event-ID`.
    Breaks {
        every: usize,
    },
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: plays two hundred games"]
async fn two_hundred_games_look_the_same_on_every_stream_page_and_view() {
    let server = Server::start().await;
    let games = stream::iter(0..GAMES).map(|number| play(&server, number)).buffer_unordered(AT_A_TIME);
    let replays: Vec<Value> = games.collect().await;
    assert_eq!(replays.len() as u64, GAMES);
    let rounds = replays.iter().flat_map(|replay| replay["steps"].as_array().expect("steps")).flat_map(events);
    assert!(rounds.filter(|event| event["type"] == "SCORED").count() > replays.len(), "games have rounds");

    let file = server.data().join("replay.json");
    std::fs::write(&file, replays[0].to_string()).expect("a file");
    let mut verify = ludotheque_unlimited(server.data());
    verify.arg("verify").arg(&file);
    let output = run(verify);
    assert!(output.status.success(), "{output:?}");
}

/// Plays a game with 2, 3, 4 or 5 players, each with a client of its own, and compares all that anybody was told.
async fn play(server: &Server, number: u64) -> Value {
    let seats = 2 + u8::try_from(number % 4).expect("a small number");
    let table = server.table(seats).await;
    let spectator = table.spectator();
    let clients =
        table.players.iter().enumerate().map(|(seat, player)| client(&table.game, player, number, Some(seat)));
    let (seen, watched) = futures::join!(join_all(clients), client(&table.game, &spectator, number, None));
    agree(&table, &seen, &watched).await
}

/// Follows a game to its end; a client with a seat plays a random legal move whenever one is due.
async fn client(game: &str, player: &Player, number: u64, seat: Option<usize>) -> Vec<Value> {
    let salt = seat.map_or(9, |seat| seat as u64);
    let mut dice = dice(number * 10 + salt);
    let connection = if (number + salt).is_multiple_of(3) {
        Connection::Breaks { every: 2 + dice.index(12) }
    } else {
        Connection::Steady
    };
    let mut stream = player.follows(game).await;
    let mut steps = Vec::new();
    while let Some(step) = stream.next().await {
        let due = events(&step).any(|event| event["type"] == "DREW" && event["board"] != 4);
        steps.push(step);
        if seat.is_some() && due {
            let moves = player.moves(game).await;
            // A client that came back may be told of choices it has made already.
            if !moves.is_empty() {
                let mv: &String = pick(&mut dice, &moves);
                player.plays(game, mv).await.ok();
            }
        }
        if let Connection::Breaks { every } = connection
            && steps.len().is_multiple_of(every)
        {
            let last = stream.last_id.take().expect("a step was read");
            let answer = player.asks_to_follow(game).header("last-event-id", &last).send().await;
            if answer.expect("the server answers").status() == 204 {
                return steps;
            }
            stream = player.follows_on(game, &last).await;
        }
    }
    steps
}

/// Streams, pages, views and the replay tell the same story, each viewer's part of it.
async fn agree(table: &Table, seen: &[Vec<Value>], watched: &[Value]) -> Value {
    let replay = table.replay().await;
    let typed = verified(&replay);
    assert_eq!(typed.commitment, table.commitment, "the promise made at the creation");
    assert_eq!(commitment(typed.id, typed.seed), table.commitment, "the seed belongs to it");

    let spectator = table.spectator();
    let viewers =
        table.players.iter().zip(seen).enumerate().map(|(seat, (player, steps))| (Some(seat), player, &**steps));
    for (seat, player, steps) in viewers.chain([(None, &spectator, watched)]) {
        let due = told_all(&replay, seat);
        assert_eq!(steps, due, "the stream of {seat:?} at {}", table.game);
        assert_eq!(player.reads_events(&table.game, 7).await, due, "the pages of {seat:?} at {}", table.game);
        let game = player.sees(&table.game).await;
        final_view(&game, &due);
        assert_eq!(game["fairness"]["seed"], replay["seed"]);
        assert_eq!(game["outcome"], replay["outcome"]);
        let last = due.len().to_string();
        let after_the_end = player.asks_to_follow(&table.game).header("last-event-id", &last).await;
        assert_eq!(after_the_end.status, 204, "nothing more to tell");
    }
    replay
}

/// The view at the end is what the events add up to.
fn final_view(game: &Value, steps: &[Value]) {
    assert_eq!(game["version"], steps.len());
    assert_eq!(game["status"], "FINISHED");
    let all: Vec<&Value> = steps.iter().flat_map(events).collect();
    let of = |kind: &str| all.iter().filter(|event| event["type"] == kind).copied().collect::<Vec<_>>();
    assert_eq!(game["outcome"], of("FINISHED")[0]["outcome"]);
    let history = game["view"]["history"].as_array().expect("rounds");
    assert_eq!(history.len(), of("SCORED").len());
    for ((round, scored), revealed) in history.iter().zip(of("SCORED")).zip(of("REVEALED")) {
        for (seat, (tally, bet)) in list(&scored["tallies"]).iter().zip(list(&revealed["bets"])).enumerate() {
            assert_eq!(round["seats"][seat]["tally"], tally["tally"]);
            assert_eq!(round["seats"][seat]["bet"], bet["bet"]);
        }
    }
    let drawn: Vec<_> = of("DREW").iter().flat_map(|event| list(&event["chips"]).to_vec()).collect();
    let shown: Vec<_> =
        history.iter().flat_map(|round| list(&round["boards"])).flat_map(|board| list(board).to_vec()).collect();
    assert_eq!(shown, drawn);
}

fn events(step: &Value) -> impl Iterator<Item = &Value> {
    list(&step["events"]).iter()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}
