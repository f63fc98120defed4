//! Views of Jouets à GO GO GO: everything but the order of the stack is public.

use super::{
    cells::Cells,
    score::{self, BANKNOTE},
    shop::{LaidTile, Shop},
    state::State,
    types::{Tile, Toy, ToyType},
};
use crate::{Dice, Eyes, Seat};
use schemars::JsonSchema;
use serde::Serialize;

/// A game of Jouets à GO GO GO as every viewer sees it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoView")]
pub struct View {
    /// The number of tiles along each side of a full shop.
    pub shop_size: u8,
    /// The seat that went first.
    pub first: Seat,
    /// The seat whose turn it is to lay a tile; null once the game is over.
    pub turn: Option<Seat>,
    /// The open tiles to choose from, newest last.
    pub open: Vec<TileView>,
    /// The number of face-down tiles left.
    pub stack_size: usize,
    /// The rewards of each type of toys.
    pub rewards: Vec<RewardsView>,
    /// Every seat, in seat order.
    pub seats: Vec<SeatView>,
}

/// A toy tile.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoTile")]
pub struct TileView {
    /// Its number.
    pub tile: Tile,
    /// Its three toys, each in a zone of its type's colour.
    pub toys: [Toy; 3],
    /// The colours along its edge: eight half-sides, clockwise from the top left corner.
    pub border: [ToyType; 8],
}

/// The seats that have the rewards of one type.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoRewards")]
pub struct RewardsView {
    /// The type of the toys.
    pub toy_type: ToyType,
    /// The seat that took the Collection; null while nobody has.
    pub collection: Option<Seat>,
    /// The seats that won the Showcase; empty before all shops are full.
    pub showcase: Vec<Seat>,
}

/// A seat with its shop.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoSeat")]
pub struct SeatView {
    /// The seat's number, counted from 0.
    pub seat: Seat,
    /// Whether the seat has resigned.
    pub resigned: bool,
    /// All coins, including those in banknotes.
    pub coins: u32,
    /// The number of banknotes: one for every ten coins.
    pub banknotes: u32,
    /// The space on the score track, from 1 to 10: one more than the number of coins that are not in a banknote.
    pub track_place: u32,
    /// The register, then the tiles in the order they were laid.
    pub shop: Vec<PieceView>,
    /// The continuous zones, colour by colour; within a colour, the zone with the oldest piece comes first.
    pub zones: Vec<ZoneView>,
    /// The toys in the shop, counted by type.
    pub toys_by_type: Vec<StockView>,
}

/// A piece of a shop: the register, or a tile.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoPiece")]
pub struct PieceView {
    /// The number of the tile; null for the register.
    pub tile: Option<Tile>,
    /// How many tiles south of the register; negative if north of it.
    pub row: i8,
    /// How many tiles east of the register; negative if west of it.
    pub column: i8,
    /// Its toys; the register has none.
    pub toys: Vec<Toy>,
    /// The colours along its edge: eight half-sides, clockwise from the top left corner.
    pub border: [ToyType; 8],
}

/// A continuous zone of one colour, across one or more pieces.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoZone")]
pub struct ZoneView {
    /// The type of the toys in it.
    pub toy_type: ToyType,
    /// The tiles it extends over, in the order they were laid. Each has one toy in the zone.
    pub tiles: Vec<Tile>,
    /// Whether it extends over the register.
    pub register: bool,
}

/// The toys of one type in a shop.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoStock")]
pub struct StockView {
    /// The type of the toys.
    pub toy_type: ToyType,
    /// The number of different toys; five make a Collection.
    pub different: u8,
    /// The number of copies of the most frequent toy, which decides the Showcase.
    pub showcase: u8,
    /// The five toys.
    pub toys: Vec<ToyCount>,
}

/// The number of copies of one toy in a shop.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToyCount {
    /// The toy that is counted.
    pub toy: Toy,
    /// The number of copies.
    pub count: u8,
}

impl From<Tile> for TileView {
    fn from(tile: Tile) -> Self {
        let face = tile.face();
        Self { tile, toys: face.toys, border: face.border.colours() }
    }
}

pub(super) fn view(state: &State) -> View {
    View {
        shop_size: state.size,
        first: state.first,
        turn: state.ended.is_none().then_some(state.turn),
        open: state.open.iter().copied().map(TileView::from).collect(),
        stack_size: state.stack.len(),
        rewards: ToyType::ALL.map(|toy_type| view_rewards(state, toy_type)).into(),
        seats: state.shops().map(|(seat, shop)| view_seat(seat, shop)).collect(),
    }
}

fn view_rewards(state: &State, toy_type: ToyType) -> RewardsView {
    let (_, showcase) = score::showcase(state, toy_type);
    RewardsView { toy_type, collection: state.collections[toy_type as usize], showcase }
}

fn view_seat(seat: Seat, shop: &Shop) -> SeatView {
    let register =
        PieceView { tile: None, row: 0, column: 0, toys: Vec::new(), border: shop.register.border().colours() };
    let zones =
        ToyType::ALL.into_iter().flat_map(|colour| shop.zones().of(colour).iter().map(move |zone| (colour, *zone)));
    SeatView {
        seat,
        resigned: shop.resigned,
        coins: shop.coins,
        banknotes: shop.coins / BANKNOTE,
        track_place: 1 + shop.coins % BANKNOTE,
        shop: [register].into_iter().chain(shop.laid().iter().copied().map(view_piece)).collect(),
        zones: zones.map(|(colour, zone)| view_zone(shop, colour, zone)).collect(),
        toys_by_type: ToyType::ALL.map(|toy_type| view_stock(shop, toy_type)).into(),
    }
}

fn view_piece(LaidTile { tile, place }: LaidTile) -> PieceView {
    let TileView { tile, toys, border } = tile.into();
    PieceView { tile: Some(tile), row: place.row, column: place.column, toys: toys.into(), border }
}

fn view_zone(shop: &Shop, toy_type: ToyType, zone: Cells) -> ZoneView {
    let within = |laid: &&LaidTile| Cells::at(laid.place).is_some_and(|cell| cell.overlaps(zone));
    let tiles = shop.laid().iter().filter(within).map(|laid| laid.tile).collect();
    ZoneView { toy_type, tiles, register: zone.overlaps(Cells::REGISTER) }
}

fn view_stock(shop: &Shop, toy_type: ToyType) -> StockView {
    let stock = shop.stock();
    let toys: Vec<_> = toy_type.toys().map(|toy| ToyCount { toy, count: stock[toy as usize] }).collect();
    let different = toys.iter().filter(|toy| toy.count > 0).map(|_| 1).sum();
    StockView { toy_type, different, showcase: shop.showcase(toy_type), toys }
}

/// Shuffles the stack again: its order is all that viewers can't know.
pub(super) fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
    let mut state = state.clone();
    if eyes != Eyes::Replay {
        // Sorted first, because the actual order would decide the result of the shuffle.
        state.stack.sort_unstable();
        dice.shuffle(&mut state.stack);
    }
    state
}
