import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import type { Calls, CountedOperation } from '../../../../infra/aws/cost/counted.ts'
import { openEmbeddedBackend } from '../../../../infra/local/backend/embedded-backend.ts'
import { openLinkHost } from '../../../../infra/local/delivery/links/link-host.ts'
import type { DemoFile } from '../../../../infra/local/demo/demo.ts'
import { CLIENT_LIMITS } from '../../../../infra/local/http/client-limits.ts'
import { listen } from '../../../../infra/local/http/http-server.ts'
import { isFollower, runInProcess } from '../../../../infra/local/jobs/run-job.ts'
import { serviceListener } from '../../../../infra/local/service-listener.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { type IndexSchema, indexes } from '../../../../shared/backends/table/indexes.ts'
import type { Changes, Item, Key, Operation, Operations, Query, Table } from '../../../../shared/backends/table/port.ts'
import { bytesOf, keyOf } from '../../../../shared/backends/table/rules.ts'
import { apiClient } from '../../../../shared/http/declaration/client.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import type { Backend } from '../../../../shared/resources.ts'
import { handleChanges } from '../../../../shared/runtime/changes.ts'
import { type BatchInput, type Job, namedFunctions } from '../../../../shared/runtime/consumer.ts'
import { jobGroups } from '../../../../shared/runtime/job-groups.ts'
import { jobHandler } from '../../../../shared/runtime/job-lambda.ts'
import { defaultSettings } from '../../../../shared/settings.ts'
import { accountsIn } from '../../../support/accounts.ts'
import { routeSettings, serviceAt } from '../../../support/service.ts'

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
  const local = { http: true, allowed: ['127.0.0.0/8', '::1/128'] }
  const embedded = opened.adopt(
    await openEmbeddedBackend({
      directory,
      baseUrl,
      mailSender: 'library@example.com',
      clock: systemClock,
      openId: local,
      webhooks: { plainHttp: true, allowed: local.allowed },
    }),
    (it) => it.close(),
  )

  const meter = newMeter()
  const groups = jobGroups(functions)
  const woken: string[] = []
  const waker = {
    kinds: groups.flatMap(({ kinds }) => kinds.map(({ name }) => name)),
    groupOf: (kind: string) => groups.find(({ kinds }) => kinds.some(({ name }) => name === kind))!.name,
    wake: async (group: string) => void woken.push(group),
  }
  const backend = meteredBackend(embedded.backend, meter, waker)
  const logged: string[] = []
  const log = jsonLog((line) => logged.push(line))
  const settings = { ...defaultSettings, cdnUrl: `${baseUrl}/-/links`, playerUrl: `${baseUrl}/-/player`, uploadsUrl: baseUrl }
  const kernel = { settings, clock: systemClock, log, baseUrl }
  const cache = { directory: join(directory, 'pictures'), maxBytes: 1e6 }
  const links = opened.adopt(openLinkHost({ rendering: backend, cdnUrl: settings.cdnUrl, cache, clock: systemClock, log }), (it) =>
    it.close(),
  )
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
        const handle = async (input: BatchInput) => (await run(consumer, input)) as { id: string }[]
        const jobs = { table: backend.table, clock: systemClock, log }
        if (await handleChanges(consumer, read.changes, handle, jobs)) ran(consumer.name)
      }
      const wakes = woken.splice(0)
      for (const name of wakes) {
        const { kinds } = groups.find((group) => group.name === name)!
        // A run that finds no job counts as one of the group.
        let did = name
        const counting = kinds.map((kind) => [kind.name, noted(kind as Job, () => (did = kind.name))])
        const running = { table: backend.table, wakeNext: () => waker.wake(name), runs: 1 }
        await jobHandler(name, Object.fromEntries(counting), backend, running)()
        ran(did)
      }
      if (read.changes.length === 0 && wakes.length === 0) return runs
    }
  }

  /** Does work that waits for what follows from it. */
  async function settling<T>(work: () => T | Promise<T>): Promise<T> {
    let isOver = false
    const done = Promise.resolve(work()).finally(() => {
      isOver = true
    })
    const running = (async () => {
      while (!isOver) {
        await settle()
        await sleep(20)
      }
    })()
    const [result] = await Promise.all([done, running])
    return result
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
    settling,
    async billed(work: () => Promise<unknown>): Promise<CountedOperation> {
      const request = await metered(work)
      let runs: Record<string, number> = {}
      const behind = await metered(async () => {
        runs = await settle()
      })
      return { request, behind, runs }
    },
    /** What one run of a schedule uses that finds nothing to do, and is not the first of its process. */
    async schedule(name: string): Promise<Calls> {
      const once = () => run(functions.find((fn) => fn.name === name)!, { by: { kind: 'job', job: name, run: 'test' } })
      await once()
      return metered(once)
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** A kind of job that says when it runs. */
const noted = (kind: Job, note: () => void): Job => ({
  ...kind,
  handle(given) {
    note()
    return kind.handle(given)
  },
})

const newMeter = (): Calls => ({ readUnits: 0, writeUnits: 0, objectReads: 0, objectWrites: 0, searches: 0, mails: 0 })

/** Calls of buckets by what S3 bills them as. All other methods ask for nothing, or for what is free. */
const billedCalls: Readonly<Record<string, 'objectReads' | 'objectWrites'>> = {
  ...Object.fromEntries(['head', 'get', 'fetch'].map((name) => [name, 'objectReads'])),
  ...Object.fromEntries(
    // A listing is billed as a write.
    ['list', 'put', 'putFile', 'copy', 'beginComposition', 'completeComposition', 'beginParts', 'receivedParts', 'joinParts'].map(
      (name) => [name, 'objectWrites'],
    ),
  ),
}

const buckets = ['uploads', 'partUploads', 'media', 'publicFiles', 'profileImages', 'logos', 'snapshotFiles'] as const

/** A backend of one machine that counts what the same calls are billed as on AWS. @param wake is told of the kinds of jobs that are woken */
function meteredBackend(backend: Backend, meter: Calls, waker: Backend['waker']): Backend {
  const table = meteredTable(backend.table, meter)
  // The buckets themselves, because they copy objects among themselves; several ports are one bucket.
  for (const bucket of new Set<object>(buckets.map((name) => backend[name]))) countCalls(bucket, meter)
  return {
    ...backend,
    table,
    sessions: table,
    snapshotJobs: table,
    search: {
      search(...asked) {
        meter.searches += 1
        return backend.search.search(...asked)
      },
      countFiles(...asked) {
        meter.searches += 1
        return backend.search.countFiles(...asked)
      },
      suggest(...asked) {
        meter.searches += 1
        return backend.search.suggest(...asked)
      },
    },
    mail: {
      send(email) {
        meter.mails += 1
        return backend.mail.send(email)
      },
    },
    waker,
  }
}

/** From now on the calls of a bucket are counted. */
function countCalls(bucket: object, meter: Calls): void {
  for (const [name, unit] of Object.entries(billedCalls)) {
    const call: unknown = Reflect.get(bucket, name)
    if (typeof call !== 'function') continue
    Reflect.set(bucket, name, (...given: unknown[]) => {
      meter[unit] += 1
      return call.apply(bucket, given)
    })
  }
}

/** Read and write units of DynamoDB. */
interface TableMeter {
  readUnits: number
  writeUnits: number
}

/** A unit of reading is 4 KB, eventually consistent half of it; one of writing is 1 KB. Source: DynamoDB Developer Guide, "Read and write operations". */
const READ_BYTES = 4096
const WRITE_BYTES = 1024
/** Each item of a transaction is written twice. */
const TRANSACTED = 2

const readUnits = (bytes: number, consistent: boolean) => Math.max(1, Math.ceil(bytes / READ_BYTES)) * (consistent ? 1 : 0.5)

/** A table that adds up the units that DynamoDB would bill for its calls. */
function meteredTable(table: Table, meter: TableMeter): Table {
  const read = (items: readonly object[], consistent: boolean) => {
    meter.readUnits += readUnits(
      items.reduce((bytes, item) => bytes + bytesOf(item as Item), 0),
      consistent,
    )
  }
  /** Does a write, and bills what it changed. A write that fails is billed as one that changes nothing. */
  async function written<T>(keys: readonly Key[], write: () => Promise<T>, factor = 1): Promise<T> {
    const before = await Promise.all(keys.map((key) => table.get(key)))
    try {
      return await write()
    } finally {
      const after = await Promise.all(keys.map((key) => table.get(key)))
      for (const n of keys.keys()) meter.writeUnits += factor * writeUnits(before[n], after[n])
    }
  }
  return {
    settleTime: table.settleTime,
    async get<T extends Key = Item>(key: Key, options: { consistent?: boolean } = {}) {
      const item = await table.get<T>(key, options)
      read(item ? [item] : [], options.consistent ?? true)
      return item
    },
    async getMany<T extends Key = Item>(keys: readonly Key[], options: { consistent?: boolean; attributes?: readonly string[] } = {}) {
      const wanted = await Promise.all(keys.map((key) => table.get(key)))
      for (const item of wanted) read(item ? [item] : [], options.consistent ?? true)
      return table.getMany<T>(keys, options)
    },
    async query<T extends Key = Item>(query: Query) {
      const page = await table.query<T>(query)
      read(page.items, query.consistent ?? false)
      return page
    },
    put: (item, condition) => written([item], () => table.put(item, condition)),
    update: <T extends Key = Item>(key: Key, changes: Changes, condition?: Parameters<Table['update']>[2]) =>
      written([key], () => table.update<T>(key, changes, condition)),
    delete: (key, condition) => written([key], () => table.delete(key, condition)),
    transact: (operations: Operations) =>
      written(
        Object.values(operations).map((operation: Operation) => keyOf(operation)),
        () => table.transact(operations),
        TRANSACTED,
      ),
  }
}

/** The larger of both states, and for each index what leaves it and what comes into it. Indexes hold keys alone, less than a unit. */
function writeUnits(before: Item | undefined, after: Item | undefined): number {
  const ofItem = Math.max(1, Math.ceil(Math.max(bytesOf(before ?? {}), bytesOf(after ?? {})) / WRITE_BYTES))
  const entries = Object.values(indexes).map(({ pk, sk }: IndexSchema) => {
    const [former, later] = [before, after].map((item) => (item?.[pk] && item[sk] ? `${item[pk]} ${item[sk]}` : undefined))
    return former === later ? 0 : Number(former !== undefined) + Number(later !== undefined)
  })
  return entries.reduce((sum, units) => sum + units, ofItem)
}
