/** Process that probes one film, then waits to be killed. */
import { open } from 'node:fs/promises'
import { Logging, LogLevel } from 'mediabunny'
import { isOfTheSystem } from '../failure.ts'
import type { ProbeAnswer, ProbeTask } from './probe.ts'
import { probeFilm } from './probe-film.ts'

// The library logs problems with files.
Logging.level = LogLevel.Silent

/** All errors of the parsers count as the file's fault. */
async function answerTo({ path }: ProbeTask): Promise<ProbeAnswer> {
  try {
    await using file = await open(path)
    return { probed: await probeFilm(file) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return isOfTheSystem(error) ? { fault: message } : { refused: message }
  }
}

process.once('message', async (task) => {
  // The server may have gone meanwhile.
  process.send?.(await answerTo(task as ProbeTask), () => undefined)
})
// The server is gone, or has its answer.
process.once('disconnect', () => process.exit())
