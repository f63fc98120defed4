// node server.mjs --store memory|FOLDER --seconds N: boardgame.io with our game, on a free port of the loopback address,
// which it prints. With a folder, matches are kept in its flat files.
import { createRequire } from 'node:module'
import { choose, lay } from '../bets.mjs'
import { bounded, settings } from '../figures.mjs'

const require = createRequire(import.meta.url)
const { Server, FlatFile } = require('boardgame.io/server')
const { INVALID_MOVE, PlayerView, ActivePlayers } = require('boardgame.io/core')

const { store, seconds } = settings({ store: 'memory', seconds: '600' })
bounded(Number(seconds))

const bets = {
  name: 'bets',
  setup: ({ random }) => lay(random.Shuffle),
  // Strips `secret`, and of `players` all but the viewer's own.
  playerView: PlayerView.STRIP_SECRETS,
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    choose: {
      // Judged by the server alone, since a client doesn't know the other hand; both choose at once, so the state may
      // have moved on.
      client: false,
      ignoreStaleStateID: true,
      move: ({ G, playerID, random }, picks) => (choose(G, Number(playerID), picks, random.Shuffle) ? undefined : INVALID_MOVE),
    },
  },
  endIf: ({ G }) => (G.over ? { over: true } : undefined),
  // Else every state carries all the states before it.
  disableUndo: true,
}

const server = Server({
  games: [bets],
  origins: false,
  ...(store === 'memory' ? {} : { db: new FlatFile({ dir: store }) }),
})
// It would listen on every address.
const listen = server.app.listen.bind(server.app)
server.app.listen = (port, listening) => listen(port, '127.0.0.1', listening)
const { appServer } = await server.run({ port: 0 })
console.log(`http://127.0.0.1:${appServer.address().port}`)
