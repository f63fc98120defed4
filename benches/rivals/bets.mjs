// The game that both rivals play: secret bets in the manner of Chips, with as many seats, moves and bytes to show.
//
// A round: each of two seats is dealt six cards and chips are drawn in four lots. Both throw away two cards, then one,
// then bet the last three: two for, one against. All choices are secret until both bets lie face up. A game has
// `ROUNDS` rounds. Functions change a plain table in place; `shuffle` is the caller's, so that a library can use its own.

export const SEATS = 2
export const ROUNDS = 8
export const STEPS = ['DISCARD_TWO', 'DISCARD_ONE', 'BET']

const PICKS = { DISCARD_TWO: 2, DISCARD_ONE: 1, BET: 3 }
const LOTS = [5, 4, 3, 2]
const HAND = 6
const FLAVOURS = ['salt', 'onion', 'cheese', 'paprika', 'vinegar']
const CARDS = FLAVOURS.flatMap((flavour) => ['none', 'one', 'two', 'most', 'last', 'first', 'pair'].map((what) => `${what}-${flavour}`))
const CHIPS = FLAVOURS.flatMap((flavour) => Array(5).fill(flavour))

/** A table with its first round dealt. `secret` and `players` are not for everybody's eyes. */
export function lay(shuffle) {
  const table = {
    round: 0,
    step: STEPS[0],
    dealer: 0,
    over: false,
    boards: [],
    seats: Array.from({ length: SEATS }, (_, seat) => ({ seat, tokens: 0, chosen: false, handSize: HAND, bet: null })),
    players: {},
    secret: {},
    history: [],
  }
  deal(table, shuffle)
  return table
}

function deal(table, shuffle) {
  const cards = shuffle(CARDS)
  table.secret = { bag: shuffle(CHIPS) }
  table.round += 1
  table.dealer = table.round % SEATS
  table.step = STEPS[0]
  table.boards = []
  draw(table)
  for (const seat of table.seats) {
    table.players[seat.seat] = { hand: cards.splice(0, HAND), discards: [], bet: null }
    Object.assign(seat, { chosen: false, handSize: HAND, bet: null })
  }
}

function draw(table) {
  table.boards.push(table.secret.bag.splice(0, LOTS[table.boards.length]))
}

/** What a seat may send now: the first cards of its hand. */
export function choice(step, hand) {
  return hand.slice(0, PICKS[step])
}

/** A seat chooses; false if it may not. Once all have, the table goes on. */
export function choose(table, seat, picks, shuffle) {
  const place = table.seats[seat]
  const own = table.players[seat]
  const fits = Array.isArray(picks) && picks.length === PICKS[table.step] && picks.every((card) => own.hand.includes(card))
  if (table.over || place.chosen || !fits) return false
  own.hand = own.hand.filter((card) => !picks.includes(card))
  if (table.step === 'BET') own.bet = { for: picks.slice(0, 2), against: picks[2] }
  else own.discards = own.discards.concat(picks)
  place.chosen = true
  place.handSize = own.hand.length
  if (table.seats.every((other) => other.chosen)) goOn(table, shuffle)
  return true
}

function goOn(table, shuffle) {
  draw(table)
  if (table.step !== 'BET') {
    table.step = STEPS[STEPS.indexOf(table.step) + 1]
    for (const seat of table.seats) seat.chosen = false
    return
  }
  score(table)
  if (table.round === ROUNDS) table.over = true
  else deal(table, shuffle)
}

function score(table) {
  const chips = table.boards.flat()
  const worth = (card) => chips.filter((chip) => card.endsWith(chip)).length
  const seats = table.seats.map(({ seat }) => {
    const { bet, discards } = table.players[seat]
    const tally = [...bet.for.map((card) => ({ card, points: worth(card) })), { card: bet.against, points: -worth(bet.against) }]
    return { seat, bet, discards, tally, points: tally.reduce((sum, { points }) => sum + points, 0) }
  })
  const best = Math.max(...seats.map(({ points }) => points))
  for (const { seat, points } of seats) if (points === best) table.seats[seat].tokens += 1
  table.history.push({ round: table.round, dealer: table.dealer, boards: table.boards, seats })
}
