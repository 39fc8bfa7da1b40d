import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import type { Calls, CountedOperation } from '../../../infra/cost/counted.ts'
import { openEmbeddedBackend } from '../../../infra/local/backend/embedded-backend.ts'
import { CLIENT_LIMITS } from '../../../infra/local/client-limits.ts'
import type { DemoFile } from '../../../infra/local/demo/demo.ts'
import { listen } from '../../../infra/local/http/http-server.ts'
import { consumeChange, consumeTogether, isFollower, runInProcess, takesMany } from '../../../infra/local/jobs/run-job.ts'
import { openLinkHost } from '../../../infra/local/links/link-host.ts'
import { serviceListener } from '../../../infra/local/service-listener.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { namedFunctions } from '../../../shared/events/consumer.ts'
import { jobHandler } from '../../../shared/events/job-lambda.ts'
import { apiClient } from '../../../shared/http/client.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import { accountsIn } from '../../support/accounts.ts'
import { routeSettings, serviceAt } from '../../support/service.ts'
import { meteredBackend, newMeter } from './metered-backend.ts'

const functions = namedFunctions(events)
const BATCH = 100

/**
 * A copy of a library, served as on AWS: functions that follow changes and do jobs run when they are asked to, and each call is counted by what
 * it is billed as. Nothing of it is in memory at the start.
 * @param library data folder, which nobody else has open
 */
export async function openMeteredService(library: string, demo: DemoFile, authorization: string) {
  await using opened = new AsyncDisposableStack()
  const directory = opened.adopt(await mkdtemp(join(tmpdir(), 'metered-')), (it) => rm(it, { recursive: true, force: true }))
  await cp(library, directory, { recursive: true })
  const http = opened.adopt(
    await listen({ host: '127.0.0.1', port: 0, brand: defaultSettings.brand, overTls: false, limits: CLIENT_LIMITS }),
    (it) => it.close(0),
  )
  const baseUrl = `http://127.0.0.1:${http.port}`
  const openId = { http: true, allow: ['127.0.0.0/8', '::1/128'] }
  const embedded = opened.adopt(
    await openEmbeddedBackend({ directory, baseUrl, mailSender: 'library@example.com', clock: systemClock, openId }),
    (it) => it.close(),
  )

  const meter = newMeter()
  const woken: { kind: string; after: CompanyId | undefined }[] = []
  const waker = {
    kinds: functions.flatMap(({ trigger }) => ('job' in trigger ? [trigger.job] : [])),
    wake: async (kind: string, after?: CompanyId) => void woken.push({ kind, after }),
  }
  const backend = meteredBackend(embedded.backend, meter, waker)
  const logged: string[] = []
  const log = jsonLog((line) => logged.push(line))
  const settings = { ...defaultSettings, cdnUrl: `${baseUrl}/-/links`, playerUrl: `${baseUrl}/-/player`, uploadsUrl: baseUrl }
  const kernel = { settings, clock: systemClock, log, baseUrl }
  const cache = { directory: join(directory, 'pictures'), maxBytes: 1e6 }
  const links = opened.adopt(openLinkHost({ rendering: backend, cache, clock: systemClock, log }), (it) => it.close())
  http.serve(
    serviceListener({ ...embedded, backend }, kernel, {
      limits: CLIENT_LIMITS,
      mail: { root: '/-/mail', folder: join(directory, 'mail'), mailServer: undefined },
      shown: { links, formerCdnUrls: [], behindProxy: false, isAlwaysElsewhere: false },
      metrics: { token: undefined, text: async () => '' },
    }),
  )

  const run = runInProcess(backend, { clock: systemClock, settings, log })
  // What was changed before the copy was made has been followed.
  let position: string | undefined
  for (let isAtEnd = false; !isAtEnd; ) {
    const former = await embedded.table.readChanges(position, BATCH)
    position = former.position
    isAtEnd = former.changes.length === 0
  }

  /** Runs all that follows. @returns how often each function ran */
  async function settle(): Promise<Record<string, number>> {
    const runs: Record<string, number> = {}
    const ran = (name: string) => {
      runs[name] = (runs[name] ?? 0) + 1
    }
    for (;;) {
      const read = await embedded.table.readChanges(position, BATCH)
      position = read.position
      for (const consumer of functions.filter(isFollower)) {
        if (takesMany(consumer)) {
          if ((await consumeTogether(run, consumer, read.changes)).isWanted) ran(consumer.name)
        } else {
          const wanted = await Promise.all(read.changes.map((change) => consumeChange(run, consumer, change)))
          if (wanted.some(Boolean)) ran(consumer.name)
        }
      }
      const wakes = woken.splice(0)
      for (const { kind, after } of wakes) {
        const fn = functions.find(({ trigger }) => 'job' in trigger && trigger.job === kind)!
        ran(fn.name)
        const handle = jobHandler(fn as Parameters<typeof jobHandler>[0], backend, { table: backend.table, waker, runs: 1 })
        await handle(after === undefined ? {} : { after })
      }
      if (read.changes.length === 0 && wakes.length === 0) return runs
    }
  }

  /** What something uses by itself. */
  async function metered(work: () => Promise<unknown>): Promise<Calls> {
    Object.assign(meter, newMeter())
    await work()
    return { ...meter }
  }

  const service = serviceAt(baseUrl, demo)
  const client = apiClient(endpoints, { baseUrl, ...routeSettings, authorization })
  const accounts = accountsIn(service, {
    table: embedded.table,
    openUploads: async () => embedded.uploads,
    apiSecretsKey: embedded.backend.apiSecretsKey,
    close: () => undefined,
  })
  const all = opened.move()
  return {
    service,
    client,
    accounts,
    logged,
    settle,
    async billed(work: () => Promise<unknown>): Promise<CountedOperation> {
      const request = await metered(work)
      let runs: Record<string, number> = {}
      const behind = await metered(async () => {
        runs = await settle()
      })
      return { request, behind, runs }
    },
    /** What one run of a schedule uses. */
    schedule: (name: string) =>
      metered(() => run(functions.find((fn) => fn.name === name)!, { by: { kind: 'job', job: name, run: 'test' } })),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
