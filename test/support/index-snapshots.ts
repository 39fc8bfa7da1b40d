import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type EmbeddedSearchOptions, embeddedSearch } from '../../shared/backends/search/embedded.ts'
import type { DocumentFeed, SearchQuery } from '../../shared/backends/search/port.ts'
import { openIndexWriter } from '../../shared/backends/search/snapshots/index-writer.ts'
import { type Item, TableUnavailable } from '../../shared/backends/table/port.ts'
import { type SnapshotJobs, snapshotJob, type WantedSnapshot } from '../../shared/library/index-snapshots/job.ts'
import { getSnapshots, snapshotsOf } from '../../shared/library/index-snapshots/record.ts'
import { storedSnapshots } from '../../shared/library/index-snapshots/stored-snapshots.ts'
import { type SnapshotWriting, writeSnapshot } from '../../shared/library/index-snapshots/write-snapshot.ts'
import { claimNext } from '../../shared/library/jobs/claim.ts'
import { listJobs } from '../../shared/library/jobs/operator.ts'
import { LEASE_MS, performJob } from '../../shared/library/jobs/perform.ts'
import { reviveJobs } from '../../shared/library/jobs/revive.ts'
import { stateOf } from '../../shared/library/jobs/states.ts'
import { feedPosition } from '../../shared/library/media/change-feed.ts'
import { documentFeed } from '../../shared/library/media/search-feed.ts'
import { everyObject } from '../../shared/library/pages.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import { toMediaId } from '../../shared/vocabulary/ids.ts'
import { openTestObjects, openTestTable } from './library.ts'
import { COMPANY, putMedia } from './media.ts'
import { puts } from './puts.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** Finds all files, oldest first. */
export const everything: SearchQuery = { terms: [], scope: { except: [] }, order: 'created', direction: 'asc', limit: 1_000, offset: 0 }

/** A library whose search indexes have snapshots, for one test: the job that makes them, and any number of processes that search. */
export async function openIndexSnapshots() {
  const { table, clock, by } = openTestTable()
  const directory = temporaryDirectory()
  const objects = openTestObjects(clock)
  const closing: (() => Promise<void>)[] = []
  onTestFinished(async () => {
    for (const close of closing) await close()
  })
  const lines: string[] = []
  const log = jsonLog((line) => lines.push(line))
  let isDown = false
  const snapshotJobs: SnapshotJobs = {
    async transact(operations) {
      if (isDown) throw new TableUnavailable()
      await table.transact(operations)
    },
  }
  let writers = 0
  let feeds = 0
  const changes = documentFeed({ table, clock })
  const feed: DocumentFeed = {
    ...changes,
    changes(companyId, position) {
      if (position === undefined) feeds++
      return changes.changes(companyId, position)
    },
  }
  const job = (): SnapshotWriting => ({
    table,
    clock,
    by,
    log,
    snapshotFiles: objects,
    indexWriter: openIndexWriter({ directory: join(directory, `writer-${writers++}`), feed }),
  })
  const reader = () => storedSnapshots({ table, snapshotFiles: objects, snapshotJobs, clock, log })
  let processes = 0
  return {
    table,
    clock,
    objects,
    /** What jobs are to make that wait, or failed and are tried again. */
    asked: async () =>
      (await listJobs({ table }, [snapshotJob.name], {}))
        .filter((found) => stateOf(found) !== 'later' || found.attempts > 0)
        .map(({ companyId, input }) => ({ companyId, ...(input as WantedSnapshot) })),
    /** Whether no job can be asked for from now on. */
    setDown(down: boolean) {
      isDown = down
    },
    job,
    /** What a process that searches asks for snapshots. */
    reader,
    /** For those who ask for snapshots themselves. */
    asking: { table, clock, log, snapshotJobs },
    /** Logged errors. */
    errors: () => lines.filter((line) => line.includes('"level":"error"')),
    /** How often an index was begun from nothing. */
    builds: () => feeds,
    record: () => getSnapshots({ table }, COMPANY),
    stored: async () => (await Array.fromAsync(everyObject(objects, snapshotsOf(COMPANY)))).map(({ key }) => key),
    run: (wanted: Partial<WantedSnapshot> = {}, given = job()) => writeSnapshot(given, COMPANY, { newerThan: 0, ...wanted }),
    /** Does the jobs that wait, and those whose time has come. @returns how many runs there were */
    async work(given = job): Promise<number> {
      const jobs = { table, clock, log }
      await reviveJobs(jobs, snapshotJob.name)
      for (let runs = 0; ; runs++) {
        const claimed = await claimNext(jobs, snapshotJob.name, undefined, LEASE_MS)
        if (!claimed) return runs
        await performJob(jobs, claimed, () => writeSnapshot(given(), claimed.companyId, claimed.input as WantedSnapshot))
      }
    },
    /** A process of its own that searches, with an empty folder. */
    async process(options: Partial<EmbeddedSearchOptions> = {}) {
      const folder = join(directory, `process-${processes++}`)
      const engine = embeddedSearch({ directory: folder, feed, snapshots: reader(), ...options })
      closing.push(() => engine.close())
      const search = (query: Partial<SearchQuery> = {}) => engine.search(COMPANY, { ...everything, ...query })
      return { folder, engine, search, total: async () => (await search({ limit: 0 })).total }
    },
    /** Files of the company with ids from one to another. */
    async files(from: number, to: number): Promise<void> {
      const sample = await putMedia(table, { mediaId: from, created: from, modified: clock.now() })
      for (let first = from + 1; first <= to; first += 100) {
        const items: Item[] = []
        for (let id = first; id <= Math.min(to, first + 99); id++) {
          const mediaId = toMediaId(id)
          const file = { ...sample, ...feedPosition({ companyId: COMPANY, mediaId }, clock.now()) }
          items.push({ ...file, pk: `MEDIA#${id}`, mediaId, created: id, title: { en: `file ${id}` } })
        }
        await table.transact(puts(items))
      }
    },
  }
}
