//! 64 players at tables of every kind, each at whichever node answers, who record every answer.

use crate::fleet::Endpoints;
use futures::future::join_all;
use ludotheque::rules::any::AnyRules;
use ludotheque::rules::{Dice, catalog};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use test_support::{Answer, Ask, Player, dice};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const PLAYERS: usize = 64;
/// How long a client waits before it asks another node.
const PAUSE: Duration = Duration::from_millis(50);
/// One answer may take this long: several times a node's patience.
const PATIENCE: Duration = Duration::from_secs(30);

/// Everything that was acknowledged.
#[derive(Default)]
pub struct Ledger {
    /// By game and version: who was told of which events.
    moves: Mutex<HashMap<(String, u64), (Player, Value)>>,
    /// When something was acknowledged.
    times: Mutex<Vec<Instant>>,
    /// Moves of each kind.
    kinds: Mutex<BTreeMap<&'static str, usize>>,
    refused: AtomicU64,
}

/// The crowd at work.
pub struct Crowd {
    pub ledger: Arc<Ledger>,
    enough: CancellationToken,
    tables: Vec<JoinHandle<()>>,
}

impl Crowd {
    pub fn gather(endpoints: &Endpoints) -> Self {
        let (ledger, enough) = (Arc::<Ledger>::default(), CancellationToken::new());
        let kinds: Vec<_> = catalog::BUILT_IN.newest_of_all().map(AnyRules::info).collect();
        let mut tables = Vec::new();
        let mut standing = PLAYERS;
        for number in 0_u8.. {
            let info = kinds[usize::from(number) % kinds.len()];
            let seats = (*info.seats.start()).max(2);
            if standing == 0 {
                break;
            }
            // The last ones take a table that they fill.
            let Some(left) = standing.checked_sub(usize::from(seats)) else { continue };
            standing = left;
            let table = Group {
                endpoints: endpoints.clone(),
                kind: info.kind,
                seats,
                number: number.into(),
                ledger: ledger.clone(),
                enough: enough.clone(),
            };
            tables.push(tokio::spawn(table.go_on()));
        }
        Self { ledger, enough, tables }
    }

    /// Everybody finishes what they are at.
    pub async fn disperses(self) -> Arc<Ledger> {
        self.enough.cancel();
        for table in join_all(self.tables).await {
            table.expect("nobody was told anything wrong");
        }
        self.ledger
    }
}

/// Some players who play one game after another.
struct Group {
    endpoints: Endpoints,
    kind: &'static str,
    seats: u8,
    number: u64,
    ledger: Arc<Ledger>,
    enough: CancellationToken,
}

impl Group {
    async fn go_on(self) {
        let table = Arc::new(self);
        let mut round = 0;
        while !table.enough.is_cancelled() {
            let mut clients: Vec<_> = (0..table.seats).map(|seat| table.client(seat, round)).collect();
            for client in &mut clients {
                client.register().await;
            }
            let new = json!({"kind": table.kind, "seats": table.seats});
            let made = clients[0].insist(|player| player.creates(&new).key("make")).await.ok();
            let game: Arc<str> = made["id"].as_str().expect("an id").into();
            for client in &mut clients[1..] {
                client.insist(|player| player.sits(&game).key("sit")).await.ok();
            }
            clients[0].insist(|player| player.starts(&game).key("start")).await.ok();
            let playing = clients.into_iter().map(|client| tokio::spawn(client.play(game.clone())));
            for client in join_all(playing).await {
                client.expect("nobody was told anything wrong");
            }
            round += 1;
        }
    }

    fn client(self: &Arc<Self>, seat: u8, round: u64) -> Client {
        let mut dice = dice(self.number * 1000 + round * 10 + u64::from(seat));
        let node = dice.index(self.endpoints.count());
        let player = self.endpoints.at(node).anybody();
        Client { table: self.clone(), dice, node, player, number: 0 }
    }
}

/// One player, at some node.
struct Client {
    table: Arc<Group>,
    dice: Dice,
    node: usize,
    player: Player,
    number: u64,
}

impl Client {
    async fn register(&mut self) {
        // A guest whose answer was lost is nobody's loss.
        let answer = self.insist(|player| player.post("/v1/players").json(&json!({"displayName": "Ada"}))).await;
        self.player = self.player.endpoint.player(&answer);
    }

    /// Plays whatever is legal until the game is over, or it is enough.
    async fn play(mut self, game: Arc<str>) {
        while !self.table.enough.is_cancelled() {
            if self.dice.below(20) == 0 {
                self.hop();
            }
            let listed = self.insist(|player| player.asks_for_moves(&game)).await;
            if listed.status == 409 {
                return;
            }
            let moves = test_support::player::ids(&listed.ok());
            if moves.is_empty() {
                if self.insist(|player| player.looks_at(&game)).await.ok()["status"] != "ACTIVE" {
                    return;
                }
                tokio::time::sleep(PAUSE / 5).await;
                continue;
            }
            let mv = moves[self.dice.index(moves.len())].clone();
            self.number += 1;
            let key = format!("move {}", self.number);
            let played = self.insist(|player| player.plays(&game, &mv).key(&key)).await;
            match played.status {
                200 => self.note(&game, &played.json()),
                // Somebody else's move made it illegal between the two.
                409 => drop(self.table.ledger.refused.fetch_add(1, Ordering::Relaxed)),
                _ => panic!("{}: {}", played.asked, played.text()),
            }
        }
    }

    /// Sends it until some node answers.
    async fn insist(&mut self, ask: impl Fn(&Player) -> Ask) -> Answer {
        let start = Instant::now();
        loop {
            let attempt = tokio::time::timeout(PATIENCE, ask(&self.player).attempt()).await;
            match attempt.expect("every answer is bounded in time") {
                Ok(answer) if answer.status != 503 => return answer,
                Ok(answer) => assert!(!answer.header("retry-after").is_empty(), "a refusal has Retry-After"),
                // Dead, or on its way.
                Err(_) => {}
            }
            assert!(start.elapsed() < 2 * PATIENCE, "no node answers");
            tokio::time::sleep(PAUSE).await;
            self.hop();
        }
    }

    fn hop(&mut self) {
        self.node = self.dice.index(self.table.endpoints.count());
        self.player = self.player.at(&self.table.endpoints.at(self.node));
    }

    fn note(&self, game: &str, answer: &Value) {
        let version = answer["version"].as_u64().expect("a version");
        let entry = (self.player.clone(), answer["events"].clone());
        let twice = self.table.ledger.moves.lock().expect("whole").insert((game.to_owned(), version), entry);
        assert!(twice.is_none(), "{game} gave version {version} to two moves");
        *self.table.ledger.kinds.lock().expect("whole").entry(self.table.kind).or_default() += 1;
        self.table.ledger.times.lock().expect("whole").push(Instant::now());
    }
}

impl Ledger {
    pub fn count(&self) -> usize {
        self.moves.lock().expect("whole").len()
    }

    /// Moves of each kind; some of every kind there is, if there was a crowd.
    pub fn kinds(&self) -> BTreeMap<&'static str, usize> {
        let kinds = self.kinds.lock().expect("whole").clone();
        assert_eq!(kinds.len(), catalog::BUILT_IN.newest_of_all().count(), "every kind was played: {kinds:?}");
        kinds
    }

    /// The longest time in which nothing was acknowledged.
    pub fn silence(&self) -> Duration {
        let times = self.times.lock().expect("whole");
        times.windows(2).map(|pair| pair[1].duration_since(pair[0])).max().unwrap_or_default()
    }

    /// Every move is there, once, at its version, with the same events; and no move that was made twice.
    pub async fn check(&self, endpoints: &Endpoints) {
        let moves = self.moves.lock().expect("whole").clone();
        let endpoint = endpoints.at(0);
        let mut pages: HashMap<(String, String), Vec<Value>> = HashMap::new();
        for ((game, version), (player, events)) in &moves {
            let place = (game.clone(), player.id.clone());
            if !pages.contains_key(&place) {
                pages.insert(place.clone(), player.at(&endpoint).reads_events(game, 1000).await);
            }
            let page = &pages[&place];
            let step = usize::try_from(version - 1).ok().and_then(|index| page.get(index));
            let step = step.unwrap_or_else(|| panic!("{game} has lost version {version}"));
            assert_eq!((step["version"].as_u64(), &step["events"]), (Some(*version), events), "{game}");
        }
    }
}
