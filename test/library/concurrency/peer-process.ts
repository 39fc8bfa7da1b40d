import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { router } from '../../../infra/local/http/router.ts'
import { runInProcess } from '../../../infra/local/jobs/run-job.ts'
import { settingsAt } from '../../../infra/local/settings.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { apiHandler, fallbackHandler } from '../../../shared/http/kernel/kernel.ts'
import { bufferedHandler } from '../../../shared/http/kernel/lambda.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { actorOf, namedFunctions } from '../../../shared/runtime/consumer.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { apiEvent } from '../../support/api-event.ts'
import type { PeerCall, PeerOrder, PeerOutcome } from './peers.ts'
import { BASE_URL, openPlace } from './place.ts'

/** A process that serves a library of which others serve the same at the same time: see peers.ts. Its argument is the place. */
let offset = 0
const clock = { ...systemClock, now: () => Date.now() + offset }
const { backend: opened } = await openPlace(JSON.parse(process.argv[2] ?? ''), clock)
/** Transactions until it dies. */
let untilDeath = Number.POSITIVE_INFINITY
const table = new Proxy(opened.table, {
  get(target, name) {
    if (name === 'transact' && --untilDeath === 0) process.kill(process.pid, 'SIGKILL')
    const value: unknown = Reflect.get(target, name, target)
    return typeof value === 'function' ? value.bind(target) : value
  },
})
const backend = { ...opened, table }
// Requests that end as they should say nothing.
const log = jsonLog((line) => !line.includes('"level":"info"') && process.stderr.write(`${line}\n`))
const settings = settingsAt(BASE_URL, defaultSettings)
const kernel = { settings, clock, log, baseUrl: BASE_URL }
const destinationOf = router(
  endpoints,
  settings,
  (endpoint) => bufferedHandler(apiHandler(endpoint, backend, kernel)),
  fallbackHandler(kernel),
)
const run = runInProcess(backend, { clock, settings, log })

process.on('message', async ({ id, now, pause, call }: PeerOrder) => {
  offset = now - Date.now()
  await sleep(pause)
  process.send?.({ id, ...(await outcomeOf(call)) })
})
process.on('disconnect', () => process.exit())
process.send?.({ id: 0 })

async function outcomeOf(call: PeerCall): Promise<Omit<PeerOutcome, 'id'>> {
  try {
    if ('path' in call) return await answer(call)
    untilDeath = call.diesAt ?? Number.POSITIVE_INFINITY
    const consumer = namedFunctions(events).find(({ name }) => name === call.consumer)!
    const failed = await run(consumer, { by: actorOf(consumer, 'run'), ...call.event })
    return Array.isArray(failed) && failed.length > 0 ? { failure: `${failed.length} events failed` } : {}
  } catch (error) {
    return { failure: String(error instanceof Error ? error.stack : error) }
  }
}

async function answer(call: Extract<PeerCall, { path: string }>): Promise<Omit<PeerOutcome, 'id'>> {
  const { handler, resource, pathParameters } = destinationOf(call.method, call.path)
  const { statusCode, body } = await handler(apiEvent(call, resource, pathParameters))
  return { status: statusCode, body: body === '' ? null : JSON.parse(body) }
}
