// node client.mjs --server URL --tables N --watchers K --seconds S --creations C: plays at N tables, each move as soon as
// the one before was answered, with K watchers at each, and prints one line of figures.
//
// It speaks through socket.io's own client, which boardgame.io's wraps, without the reducer that boardgame.io runs in
// every client: what is measured is the server.
import { createRequire } from 'node:module'
import { choice, SEATS } from '../bets.mjs'
import { bounded, Figures, settings } from '../figures.mjs'

const { io } = createRequire(import.meta.url)('socket.io-client')
const { server, tables, watchers, seconds, creations } = settings({ tables: '1', watchers: '0', seconds: '3', creations: '0' })
const duration = Number(seconds) * 1000
bounded(Number(seconds) * 2 + 60)

const figures = new Figures()

async function post(path, body, credentials) {
  const response = await fetch(`${server}/games/bets/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(credentials && { authorization: credentials }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** A socket that follows a match. `playerID` null is a watcher. */
class Eyes {
  constructor(playerID) {
    this.playerID = playerID
    this.socket = io(`${server}/bets`, { transports: ['websocket'], forceNew: true })
    this.socket.io.engine.on('packet', ({ type, data }) => {
      if (type === 'message') figures.received(data.length)
    })
    this.socket.on('update', (matchID, state) => this.told(matchID, state))
    this.socket.on('sync', (matchID, { state }) => this.told(matchID, state))
  }

  told(matchID, state) {
    if (matchID !== this.matchID) return
    this.state = state
    this.waiting?.()
  }

  /** Waits until we were told of a state at least so new. */
  async reached(stateID) {
    while (!(this.state?._stateID >= stateID)) await new Promise((resolve) => (this.waiting = resolve))
    return this.state
  }

  async watch(matchID, credentials) {
    Object.assign(this, { matchID, credentials, state: undefined })
    this.socket.emit('sync', matchID, this.playerID, credentials, SEATS)
    return this.reached(0)
  }

  /** Plays the first legal move, and waits for its result. */
  async choose() {
    const { G, _stateID } = this.state
    const args = [choice(G.step, G.players[this.playerID].hand)]
    const payload = { type: 'choose', args, playerID: this.playerID, credentials: this.credentials }
    this.socket.emit('update', { type: 'MAKE_MOVE', payload }, _stateID, this.matchID, this.playerID)
    await this.reached(_stateID + 1)
  }
}

class Table {
  players = Array.from({ length: SEATS }, (_, seat) => new Eyes(String(seat)))
  watchers = Array.from({ length: Number(watchers) }, () => new Eyes(null))

  async open() {
    const { matchID } = await post('create', { numPlayers: SEATS })
    for (const player of this.players) {
      const joined = await post(`${matchID}/join`, { playerID: player.playerID, playerName: 'Ada' })
      await player.watch(matchID, joined.playerCredentials)
    }
    for (const watcher of this.watchers) await watcher.watch(matchID)
    this.stateID = this.players[0].state._stateID
  }

  async play(end) {
    while (performance.now() < end) {
      for (const player of this.players) {
        // Every socket receives every move, but perhaps later than the player who made it.
        await player.reached(this.stateID)
        await figures.timed(figures.moves, () => player.choose())
        this.stateID = player.state._stateID
      }
      if (this.players.at(-1).state.G.over) await this.open()
    }
  }
}

for (let at = 0; at < Number(creations); at += 1) {
  await figures.timed(figures.created, () => post('create', { numPlayers: SEATS }))
}
await figures.playAt(Array.from({ length: Number(tables) }, () => new Table()), duration)
