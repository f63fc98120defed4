//! State of a game of Jouets à GO GO GO, and how a turn continues once a tile is laid.
//!
//! [`State::invariants`] lists what holds in every state.

use super::{
    cells::Cells,
    events::Event,
    score::{self, Reason},
    shop::{LaidTile, Shop},
    types::{Register, Tile, Toy, ToyType},
    zones::Gains,
};
use crate::{Dice, Seat};
use serde::{Deserialize, Serialize};
use std::{fmt::Write, sync::Arc};

/// The number of open tiles.
pub const OPEN: usize = 4;

/// A game of Jouets à GO GO GO, with its only secret: the order of the stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The number of tiles along each side of a full shop.
    pub size: u8,
    /// The seat that went first.
    pub first: Seat,
    /// The seat whose turn it is, or the last one that laid a tile if the game is over.
    pub turn: Seat,
    /// The open tiles, newest last.
    pub open: Vec<Tile>,
    /// The face-down tiles, top tile last.
    pub stack: Vec<Tile>,
    /// One for each seat. Behind an `Arc`, because every move copies the state and changes only one shop.
    pub shops: Vec<Arc<Shop>>,
    /// The seat that took the Collection of each type, in the order of the types.
    pub collections: [Option<Seat>; ToyType::ALL.len()],
    pub ended: Option<Reason>,
}

impl State {
    /// Sets up a game: deals the registers, shuffles the tiles and opens the first ones.
    pub(super) fn new(size: u8, first: Seat, seats: u8, dice: &mut Dice) -> Self {
        let mut registers: Vec<_> = Register::all().collect();
        dice.shuffle(&mut registers);
        registers.truncate(usize::from(seats));
        let mut stack: Vec<_> = Tile::all().collect();
        dice.shuffle(&mut stack);
        let open = stack.split_off(stack.len() - OPEN).into_iter().rev().collect();
        let shops = registers.into_iter().map(|register| Arc::new(Shop::new(register))).collect();
        Self { size, first, turn: first, open, stack, shops, collections: [None; ToyType::ALL.len()], ended: None }
    }

    pub fn seats(&self) -> u8 {
        u8::try_from(self.shops.len()).expect("a table has few seats")
    }

    /// Every seat with its shop.
    pub fn shops(&self) -> impl Iterator<Item = (Seat, &Shop)> {
        Seat::all(self.seats()).zip(self.shops.iter().map(Arc::as_ref))
    }

    pub(super) fn shop_mut(&mut self, seat: Seat) -> &mut Shop {
        Arc::make_mut(&mut self.shops[seat.index()])
    }

    /// Lays an open tile in the seat's shop and awards its coins and any Collections it completes first.
    pub(super) fn lay(&mut self, seat: Seat, laid: LaidTile, gains: Gains, events: &mut Vec<Event>) {
        self.open.retain(|open| *open != laid.tile);
        let shop = self.shop_mut(seat);
        shop.lay(laid).expect("a legal move names a free place");
        shop.coins += gains.total();
        events.push(Event::Laid { seat, tile: laid.tile, place: laid.place, gains });
        for toy_type in laid.tile.face().toys.map(Toy::toy_type) {
            if self.collections[toy_type as usize].is_none() && self.shops[seat.index()].has_collection(toy_type) {
                self.collections[toy_type as usize] = Some(seat);
                events.push(Event::CollectionTaken { seat, toy_type });
            }
        }
    }

    /// Opens a tile, even after the last turn, and passes the turn on.
    pub(super) fn open_next(&mut self, events: &mut Vec<Event>) {
        let tile = self.stack.pop().expect("four full shops leave four open tiles");
        self.open.push(tile);
        events.push(Event::Opened { tile });
        self.pass(events);
    }

    /// Resigns the seats: they are skipped from now on.
    pub(super) fn resign(&mut self, seats: &[Seat], events: &mut Vec<Event>) {
        for &seat in seats {
            self.shop_mut(seat).resigned = true;
        }
        if self.shops.iter().filter(|shop| !shop.resigned).count() < 2 {
            self.end(Reason::Resigned, events);
        } else if self.shops[self.turn.index()].resigned {
            self.pass(events);
        }
    }

    /// Passes the turn to the next seat whose shop is not full, or ends the game if there is none.
    fn pass(&mut self, events: &mut Vec<Event>) {
        let clockwise = (1..=self.seats()).map(|n| Seat((self.turn.0 + n) % self.seats()));
        match clockwise.into_iter().find(|seat| self.shops[seat.index()].is_growing(self.size)) {
            Some(seat) => self.turn = seat,
            None => self.end(Reason::Full, events),
        }
    }

    /// Awards the Showcases if the shops are full, and pays all rewards.
    fn end(&mut self, reason: Reason, events: &mut Vec<Event>) {
        self.ended = Some(reason);
        for toy_type in ToyType::ALL {
            let (count, seats) = score::showcase(self, toy_type);
            if !seats.is_empty() {
                events.push(Event::ShowcaseWon { toy_type, count, seats });
            }
        }
        for seat in Seat::all(self.seats()) {
            let rewards = score::rewards(self, seat);
            let coins = score::REWARD * rewards;
            if rewards > 0 {
                self.shop_mut(seat).coins += coins;
                events.push(Event::Paid { seat, rewards, coins });
            }
        }
    }

    /// Draws the state as text, with its secret.
    pub(super) fn drawing(&self) -> String {
        let turn = self.ended.map_or_else(|| format!("Turn of seat {}", self.turn), |reason| reason.id().to_owned());
        let mut text = format!("{turn} · {0}×{0} · first seat {1}", self.size, self.first);
        let mut line = |rest: &str| write!(text, "\n{rest}").expect("a String takes everything");
        line(&format!("Open    {}", numbers(self.open.iter())));
        line(&format!("Stack   {}", numbers(self.stack.iter().rev())));
        for (seat, shop) in self.shops() {
            let taken = ToyType::ALL.into_iter().filter(|toy_type| self.collections[*toy_type as usize] == Some(seat));
            let mut parts = vec![format!("{} coins", shop.coins)];
            parts.extend(taken.map(|toy_type| format!("collection {}", toy_type.id())));
            if shop.resigned {
                parts.push("resigned".into());
            }
            line(&format!("Seat {seat}  {}\n{}", parts.join(" · "), shop.drawing()));
        }
        text
    }

    /// Checks what must hold between two steps; the error names what does not.
    pub(super) fn invariants(&self) -> Result<(), String> {
        let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        let laid = self.shops.iter().flat_map(|shop| shop.laid().iter().map(|laid| laid.tile));
        let mut tiles: Vec<_> = laid.chain(self.open.iter().copied()).chain(self.stack.iter().copied()).collect();
        tiles.sort_unstable();
        check(tiles.iter().copied().eq(Tile::all()), "each of the 64 tiles is in one place")?;
        check(self.open.len() == OPEN, "four tiles lie open")?;
        let mut registers: Vec<_> = self.shops.iter().map(|shop| shop.register).collect();
        registers.sort_unstable();
        check(registers.is_sorted_by(|one, next| one < next), "every shop has a register of its own")?;
        for shop in &self.shops {
            let cells = shop.zones().occupied();
            check(cells.len() as usize == shop.laid().len() + 1, "a shop is its register and its tiles")?;
            check((cells & !shop.room(self.size)).is_empty(), "every shop fits its square")?;
            check(connected(cells), "every shop hangs together edge to edge")?;
        }
        if self.ended.is_none() {
            let nth = |seat: Seat| (seat.0 + self.seats() - self.first.0) % self.seats();
            let due = self.shops[self.turn.index()].laid().len();
            for (seat, shop) in self.shops().filter(|(_, shop)| !shop.resigned) {
                let had_turn = nth(seat) < nth(self.turn);
                check(shop.laid().len() == due + usize::from(had_turn), "turns go round clockwise")?;
            }
        }
        match self.ended {
            None => check(self.shops[self.turn.index()].is_growing(self.size), "it waits for a shop that grows")?,
            Some(Reason::Full) => {
                check(!self.shops.iter().any(|shop| shop.is_growing(self.size)), "it is over when all shops are full")?;
            }
            Some(Reason::Resigned) => {
                check(self.shops.iter().filter(|shop| !shop.resigned).count() < 2, "it takes two to play")?;
            }
        }
        for (toy_type, taken) in ToyType::ALL.into_iter().zip(self.collections) {
            let complete = |seat: Seat| self.shops[seat.index()].has_collection(toy_type);
            match taken {
                Some(seat) => check(complete(seat), "a seat with a Collection has all five toys")?,
                None => check(!Seat::all(self.seats()).any(complete), "the first to have all five toys takes them")?,
            }
        }
        Ok(())
    }
}

fn numbers<'a>(tiles: impl Iterator<Item = &'a Tile>) -> String {
    tiles.map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Whether all cells are connected to the register, edge to edge.
fn connected(cells: Cells) -> bool {
    let mut reached = Cells::REGISTER;
    for _ in 0..cells.len() {
        reached |= reached.neighbours() & cells;
    }
    reached == cells
}
