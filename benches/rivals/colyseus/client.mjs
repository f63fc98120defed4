// node client.mjs --server URL --tables N --watchers K --seconds S --creations C: plays at N tables, each move as soon as
// the one before was answered, with K watchers at each, and prints one line of figures. It uses Colyseus' own client.
import { Client } from '@colyseus/sdk'
import { choice, SEATS } from '../bets.mjs'
import { bounded, Figures, settings } from '../figures.mjs'

const { server, tables, watchers, seconds, creations } = settings({ tables: '1', watchers: '0', seconds: '3', creations: '0' })
const duration = Number(seconds) * 1000
bounded(Number(seconds) * 2 + 60)

const figures = new Figures()
const client = new Client(server)

/** One pair of eyes in a room; with a seat, those of a player. */
class Eyes {
  constructor(room, seat) {
    Object.assign(this, { room, seat })
    const { events } = room.connection
    const told = events.onmessage
    events.onmessage = (event) => {
      figures.received(event.data.byteLength)
      told(event)
    }
    room.onStateChange(() => this.waiting?.())
  }

  /** Waits until this many moves were received. */
  async reached(moves) {
    while (!(this.room.state?.moves >= moves && this.room.state.seats?.length === SEATS)) {
      await new Promise((resolve) => (this.waiting = resolve))
    }
    return this.room.state
  }

  /** Plays the first legal move, and waits for its result. */
  async choose(moves) {
    const { step, seats } = this.room.state
    this.room.send('choose', choice(step, [...seats[this.seat].hand]))
    await this.reached(moves)
  }
}

class Table {
  moves = 0

  async open() {
    for (const eyes of [...(this.players ?? []), ...(this.watchers ?? [])]) eyes.room.leave()
    const first = await client.create('bets', { seat: 0 })
    this.players = [new Eyes(first, 0)]
    for (let seat = 1; seat < SEATS; seat += 1) this.players.push(new Eyes(await client.joinById(first.roomId, { seat }), seat))
    this.watchers = []
    while (this.watchers.length < Number(watchers)) this.watchers.push(new Eyes(await client.joinById(first.roomId, {})))
    this.moves = 0
    for (const player of this.players) await player.reached(0)
  }

  async play(end) {
    while (performance.now() < end) {
      for (const player of this.players) {
        await player.reached(this.moves)
        this.moves += 1
        await figures.timed(figures.moves, () => player.choose(this.moves))
      }
      if (this.players.at(-1).room.state.over) await this.open()
    }
  }
}

for (let at = 0; at < Number(creations); at += 1) {
  const room = await figures.timed(figures.created, () => client.create('bets', { seat: 0 }))
  room.leave()
}
await figures.playAt(Array.from({ length: Number(tables) }, () => new Table()), duration)
