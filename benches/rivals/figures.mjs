// What both rivals' clients have in common: when to stop, and the one line of figures they print.

/** The words after the script's name, as `--name value`. */
export function settings(defaults) {
  const words = process.argv.slice(2)
  const given = {}
  for (let at = 0; at + 1 < words.length; at += 2) given[words[at].replace(/^--/, '')] = words[at + 1]
  return { ...defaults, ...given }
}

/** Ends the process after a number of seconds, so that no process outlives a measurement. */
export function bounded(seconds) {
  setTimeout(() => process.exit(3), seconds * 1000).unref()
}

/** Collects how long moves took between `start` and the end, and the bytes that came with them. */
export class Figures {
  moves = []
  created = []
  bytes = 0
  events = 0
  started = 0

  /** Starts the measurement. The line tells the parent process that all tables are ready. */
  start() {
    Object.assign(this, { moves: [], bytes: 0, events: 0, started: performance.now() })
    console.log('playing')
  }

  received(bytes) {
    this.bytes += bytes
    this.events += 1
  }

  async timed(list, work) {
    const before = performance.now()
    const result = await work()
    list.push(performance.now() - before)
    return result
  }

  print() {
    const seconds = (performance.now() - this.started) / 1000
    const moves = Float64Array.from(this.moves).sort()
    const created = Float64Array.from(this.created).sort()
    const line = {
      moves: moves.length,
      seconds,
      perSecond: moves.length / seconds,
      p50: permille(moves, 500),
      p99: permille(moves, 990),
      p999: permille(moves, 999),
      createP50: permille(created, 500),
      bytesPerEvent: this.events ? this.bytes / this.events : 0,
    }
    console.log(JSON.stringify(line))
  }

  // Plays at all tables at once, prints what came of it, and ends.
  async playAt(tables, duration) {
    for (const table of tables) await table.open()
    this.start()
    await Promise.all(tables.map((table) => table.play(performance.now() + duration)))
    this.print()
    process.exit(0)
  }
}

function permille(sorted, permille) {
  if (!sorted.length) return 0
  return sorted[Math.min(Math.floor((sorted.length * permille) / 1000), sorted.length - 1)]
}
