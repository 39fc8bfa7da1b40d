import '../../umask.ts'
import { constants } from 'node:os'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { namedFunctions } from '../../../shared/runtime/consumer.ts'
import { lowerPriority } from '../../../shared/tools/processes/priority.ts'
import { openEmbeddedBackend } from '../backend/embedded-backend.ts'
import { logAs } from '../log-format.ts'
import { loadEventFunctions } from './event-functions.ts'
import { runInProcess } from './run-job.ts'
import type { JobOrder, JobOutcome, WorkerSetup } from './worker-protocol.ts'

/**
 * A process in which the server has heavy consumers run, one job at a time, so that a hostile file can at most take this process
 * down. It ends with its channel to the server, whatever way the server went: the job's message will come again.
 */
// Requests come before jobs, searches too.
lowerPriority(constants.priority.PRIORITY_LOW)
// The server decides when workers end; the terminal's Ctrl-C goes to it alone.
process.on('SIGINT', () => undefined)
const { dataDirectory, baseUrl, mailSender, logFormat, settings }: WorkerSetup = JSON.parse(process.argv[2] ?? '')
let offset = 0
const clock = { ...systemClock, now: () => Date.now() + offset }
const log = logAs(logFormat, (line) => process.stderr.write(`${line}\n`))
const { backend } = await openEmbeddedBackend({ directory: dataDirectory, baseUrl, mailSender, clock })
const functions = namedFunctions(await loadEventFunctions())
const run = runInProcess(backend, { clock, settings, log })

// As in the server: a log without a reader ends no job.
process.stderr.on('error', () => undefined)

process.on('message', async ({ consumer: name, event, now }: JobOrder) => {
  offset = now - Date.now()
  const outcome: JobOutcome = {}
  try {
    const consumer = functions.find((candidate) => candidate.name === name)
    if (!consumer) throw new Error(`there is no consumer ${name}`)
    outcome.result = await run(consumer, event)
  } catch (thrown) {
    const { name: type, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
    outcome.error = { name: type, message, ...(stack && { stack }) }
  }
  // A server that has gone meanwhile needs no answer.
  process.send?.(outcome, () => undefined)
})
process.on('disconnect', () => process.exit())
