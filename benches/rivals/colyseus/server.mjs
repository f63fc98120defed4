// node server.mjs --seconds N: Colyseus with our game, on a free port of the loopback address, which it prints. Everybody
// in a room is sent what changed after every move; the two players also what only they may see. Nothing is stored.
import { Room, Server } from '@colyseus/core'
import { schema, StateView, t } from '@colyseus/schema'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { choose, lay, SEATS } from '../bets.mjs'
import { bounded, settings } from '../figures.mjs'

const { seconds } = settings({ seconds: '600' })
bounded(Number(seconds))

const Seat = schema(
  {
    tokens: t.uint8(),
    chosen: t.boolean(),
    handSize: t.uint8(),
    hand: t.array('string').view(),
    discards: t.array('string').view(),
    bet: t.array('string').view(),
  },
  'Seat',
)
const Points = schema({ card: t.string(), points: t.int8() }, 'Points')
const PastSeat = schema(
  { seat: t.uint8(), bet: t.array('string'), discards: t.array('string'), tally: t.array(Points), points: t.int8() },
  'PastSeat',
)
const Round = schema({ round: t.uint8(), dealer: t.uint8(), boards: t.array('string'), seats: t.array(PastSeat) }, 'Round')
const Table = schema(
  {
    moves: t.uint32().default(0),
    round: t.uint8(),
    step: t.string(),
    dealer: t.uint8(),
    over: t.boolean(),
    boards: t.array('string'),
    seats: t.array(Seat),
    history: t.array(Round),
  },
  'Table',
)

function shuffle(list) {
  const mixed = [...list]
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1))
    ;[mixed[at], mixed[other]] = [mixed[other], mixed[at]]
  }
  return mixed
}

const inOrder = ({ for: pair, against }) => [...pair, against]

/** Makes a list that is shown equal to one of ours, touching only what differs. */
function show(shown, list) {
  while (shown.length > list.length) shown.pop()
  list.forEach((item, at) => {
    if (shown[at] !== item) shown[at] = item
  })
}

class Bets extends Room {
  maxClients = 64
  // By hand, after each move.
  patchRate = null

  onCreate() {
    this.table = lay(shuffle)
    this.state = new Table()
    for (let seat = 0; seat < SEATS; seat += 1) this.state.seats.push(new Seat())
    this.showAll()
    this.onMessage('choose', (client, picks) => {
      if (client.seat === undefined || !choose(this.table, client.seat, picks, shuffle)) return
      this.state.moves += 1
      this.showAll()
      this.broadcastPatch()
    })
  }

  onJoin(client, { seat }) {
    if (seat === undefined) return
    client.seat = seat
    client.view = new StateView()
    client.view.add(this.state.seats[seat])
  }

  showAll() {
    const { table, state } = this
    state.round = table.round
    state.step = table.step
    state.dealer = table.dealer
    state.over = table.over
    show(state.boards, table.boards.flat())
    for (const { seat, tokens, chosen, handSize } of table.seats) {
      const { hand, discards, bet } = table.players[seat]
      const shown = Object.assign(state.seats[seat], { tokens, chosen, handSize })
      show(shown.hand, hand)
      show(shown.discards, discards)
      show(shown.bet, bet ? inOrder(bet) : [])
    }
    for (const past of table.history.slice(state.history.length)) {
      const round = new Round({ round: past.round, dealer: past.dealer })
      show(round.boards, past.boards.flat())
      for (const { seat, bet, discards, tally, points } of past.seats) {
        const side = new PastSeat({ seat, points })
        show(side.bet, inOrder(bet))
        show(side.discards, discards)
        for (const each of tally) side.tally.push(new Points(each))
        round.seats.push(side)
      }
      state.history.push(round)
    }
  }
}

const transport = new WebSocketTransport()
const server = new Server({ transport, greet: false, gracefullyShutdown: false })
server.define('bets', Bets)
await server.listen(0, '127.0.0.1')
console.log(`http://127.0.0.1:${transport.server.address().port}`)
