//! The table as everybody sees it: all but the order of the stack.

use super::{
    cells::Cells,
    score::{self, BANKNOTE},
    shop::{Laid, Shop},
    state::State,
    types::{Tile, Toy, ToyType},
};
use crate::{Dice, Eyes, Seat};
use schemars::JsonSchema;
use serde::Serialize;

/// The table.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoView")]
pub struct View {
    /// How many tiles a full shop has along each side.
    pub shop_size: u8,
    /// The seat that began.
    pub first: Seat,
    /// The seat to lay a tile; nobody once the game is over.
    pub turn: Option<Seat>,
    /// The tiles to choose from; the newest is the last.
    pub open: Vec<TileView>,
    /// How many tiles are left face down.
    pub stack_size: usize,
    /// The rewards of each type.
    pub rewards: Vec<RewardsView>,
    /// Every seat, in order.
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

/// Who has the rewards of a type.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoRewards")]
pub struct RewardsView {
    /// The type.
    pub toy_type: ToyType,
    /// Who took the Collection, if anybody did yet.
    pub collection: Option<Seat>,
    /// Who won the Showcase; nobody before all shops are full.
    pub showcase: Vec<Seat>,
}

/// A seat with its shop.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoSeat")]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// Whether the seat has given up.
    pub resigned: bool,
    /// All coins, those of banknotes included.
    pub coins: u32,
    /// One for every ten coins.
    pub banknotes: u32,
    /// The place on the score track, from 1 to 10: further for each coin that is not in a banknote.
    pub track_place: u32,
    /// The register, then the tiles in the order they were laid.
    pub shop: Vec<PieceView>,
    /// The continuous zones, colour by colour; the one with the oldest piece comes first.
    pub zones: Vec<ZoneView>,
    /// How many toys there are of each type.
    pub toys_by_type: Vec<StockView>,
}

/// A piece of a shop: the register, or a tile.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoPiece")]
pub struct PieceView {
    /// The tile's number; none for the register.
    pub tile: Option<Tile>,
    /// How far south of the register; north of it is negative.
    pub row: i8,
    /// How far east of the register; west of it is negative.
    pub column: i8,
    /// Its toys; the register has none.
    pub toys: Vec<Toy>,
    /// The colours along its edge: eight half-sides, clockwise from the top left corner.
    pub border: [ToyType; 8],
}

/// A zone of one colour that runs on from piece to piece.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoZone")]
pub struct ZoneView {
    /// The type of the toys in it.
    pub toy_type: ToyType,
    /// The tiles it runs over, in the order they were laid. Each has one toy in it.
    pub tiles: Vec<Tile>,
    /// Whether it runs over the register.
    pub register: bool,
}

/// The toys of one type in a shop.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoStock")]
pub struct StockView {
    /// The type.
    pub toy_type: ToyType,
    /// How many different toys there are; five make a Collection.
    pub different: u8,
    /// How often the most frequent toy is there: the count for the Showcase.
    pub showcase: u8,
    /// The five toys.
    pub toys: Vec<ToyCount>,
}

/// How often a toy is in a shop.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToyCount {
    /// The toy.
    pub toy: Toy,
    /// How often it is there.
    pub count: u8,
}

impl From<Tile> for TileView {
    fn from(tile: Tile) -> Self {
        let printed = tile.printed();
        Self { tile, toys: printed.toys, border: printed.border.colours() }
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

fn view_piece(Laid { tile, place }: Laid) -> PieceView {
    let TileView { tile, toys, border } = tile.into();
    PieceView { tile: Some(tile), row: place.row, column: place.column, toys: toys.into(), border }
}

fn view_zone(shop: &Shop, toy_type: ToyType, zone: Cells) -> ZoneView {
    let within = |laid: &&Laid| Cells::at(laid.place).is_some_and(|cell| cell.overlaps(zone));
    let tiles = shop.laid().iter().filter(within).map(|laid| laid.tile).collect();
    ZoneView { toy_type, tiles, register: zone.overlaps(Cells::REGISTER) }
}

fn view_stock(shop: &Shop, toy_type: ToyType) -> StockView {
    let stock = shop.stock();
    let toys: Vec<_> = toy_type.toys().map(|toy| ToyCount { toy, count: stock[toy as usize] }).collect();
    let different = toys.iter().filter(|toy| toy.count > 0).map(|_| 1).sum();
    StockView { toy_type, different, showcase: shop.showcase(toy_type), toys }
}

/// Shuffles the stack again: its order is all that anybody can't know.
pub(super) fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
    let mut state = state.clone();
    if eyes != Eyes::Replay {
        dice.shuffle(&mut state.stack);
    }
    state
}
