import assert from 'node:assert/strict'
import { type EdgeCache, EdgeCacheBusy, type Forgotten, MAX_PREFIXES } from '../../../shared/backends/edge-cache/port.ts'
import type { Objects } from '../../../shared/backends/objects/port.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { LEASE_MS, performJob } from '../../../shared/library/jobs/perform.ts'
import { reviveJobs } from '../../../shared/library/jobs/revive.ts'
import { getLink, type LinkRecord, linkKey, stateOf } from '../../../shared/library/links/link.ts'
import { cacheTag, publicKeys } from '../../../shared/library/links/public-keys.ts'
import { invalidateEdges } from '../../../shared/library/publishing/invalidate-edges.ts'
import { forgetLink, forgetStream, INVALIDATIONS, invalidationJob } from '../../../shared/library/publishing/invalidation.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { type LinkId, toCompanyId, toContentsId, toEncodingId, toFolderId, toLinkId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestObjects, openTestTable } from '../../support/library.ts'
import type { TestClock } from '../../support/test-clock.ts'

const never = () => false

export const linkIdOf = (number: number): LinkId => toLinkId(number.toString(16).padStart(32, '0'))

/** A request to edges, as they took it. */
interface Taken {
  id: string
  tags: readonly string[]
  prefixes: readonly string[]
  begun: number
}

/** Edges that take some time to forget, by the clock of the test. */
export class FakeEdges implements EdgeCache {
  inFlightSeconds = 60
  pauseSeconds = 5
  /** Seconds that a request takes. */
  seconds = 20
  /** Most tags in progress. */
  mostInProgress = 3000
  readonly taken: Taken[] = []
  readonly #clock: TestClock

  constructor(clock: TestClock) {
    this.#clock = clock
  }

  async invalidate(what: Forgotten, reference: string): Promise<string> {
    const known = this.taken.find(({ id }) => id === reference)
    if (known) return known.id
    const { tags, prefixes } = { tags: [], prefixes: [], ...what }
    const running = this.taken.filter(({ begun }) => !this.#isOver(begun))
    const inProgress = running.reduce((sum, taken) => sum + taken.tags.length, 0)
    if (inProgress > 0 && inProgress + tags.length > this.mostInProgress) throw new EdgeCacheBusy('too many')
    if (running.reduce((sum, taken) => sum + taken.prefixes.length, prefixes.length) > MAX_PREFIXES) throw new EdgeCacheBusy('too many')
    this.taken.push({ id: reference, tags, prefixes, begun: this.#clock.now() })
    return reference
  }

  async isDone(id: string): Promise<boolean> {
    const taken = this.taken.find((each) => each.id === id)
    return !taken || this.#isOver(taken.begun)
  }

  /** The requests by which a link was forgotten. */
  forgetting(linkId: LinkId, alias: string): Taken[] {
    return this.taken.filter(({ tags, prefixes }) => tags.includes(cacheTag(linkId)) || prefixes.includes(`/${alias}/`))
  }

  /** What is paid for. */
  get paths(): number {
    return this.taken.reduce((sum, { tags, prefixes }) => sum + tags.length + prefixes.length, 0)
  }

  #isOver(begun: number): boolean {
    return this.#clock.now() >= begun + this.seconds * 1000
  }
}

/** Links that edges are to forget, with the job and edges that a test governs. */
export async function setUpEdges() {
  const { table, clock, by } = openTestTable()
  const objects = openTestObjects(clock)
  const edges = new FakeEdges(clock)
  const lines: string[] = []
  const library = {
    ...{ table: table as Table, clock, by, publicFiles: objects as Objects, edgeCache: edges as EdgeCache },
    log: jsonLog((line) => lines.push(line)),
  }
  type Library = typeof library

  /** A link that has shown other files before, or has ended, which edges are to forget now. */
  async function published(
    number: number,
    { revision = 2, ended = false, alias = 'press' }: { revision?: number; ended?: boolean; alias?: string } = {},
  ): Promise<LinkId> {
    const linkId = linkIdOf(number)
    const link: LinkRecord = {
      ...{ linkId, companyId: toCompanyId(1), alias, folderId: toFolderId(1), contents: toContentsId(1), revision, by },
      ...{ mediaId: ended ? null : toMediaId(number), created: 1, changed: 1, extension: 'jpg', stale: revision },
      ...(!ended && { published: { revision, mediaId: toMediaId(number) } }),
    }
    for (let shown = 1; shown <= revision && !ended; shown += 1) {
      await objects.put(publicKeys.original(linkId, shown), Buffer.from(String(shown)), { contentType: 'image/jpeg' })
    }
    await table.transact({ link: { put: { ...linkKey(linkId), ...link } }, ...forgetLink(library, link) })
    return linkId
  }

  /**
   * Lets the job run as processes do, until it is done. A run that dies is followed by another one when its lease ends.
   * @returns the number of runs
   */
  async function finish(over: Partial<Library> = {}, outOfTime = never, most = 10_000): Promise<number> {
    const running = { ...library, ...over }
    const kind = invalidationJob.name
    const [now, { sleep }] = [() => running.clock.now(), clock.hasty]
    for (let runs = 0; runs < most; ) {
      const next = await reviveJobs(library, kind)
      const job = await claimNext(running, kind, undefined, LEASE_MS).catch(() => undefined)
      if (job) {
        runs += 1
        await performJob(running, job, () => invalidateEdges({ ...running, clock: { now, sleep } }, outOfTime)).catch(() => undefined)
      } else if (next !== undefined) clock.ms = Math.max(clock.ms, next)
      else if ((await listJobs(library, [kind], {})).length === 0) return runs
    }
    throw new Error('it does not come to an end')
  }

  return {
    began: clock.now(),
    ...{ library, table, clock, edges, lines, objects, published, finish },
    /** A stream whose files are gone. */
    streamRemoved: (number: number) => table.transact(forgetStream(library, toEncodingId(number.toString(16).padStart(32, '0')))),
    /** One run, up to its first pause. */
    async run(over: Partial<Library> = {}): Promise<void> {
      const paused = new Error('paused')
      const sleep = async () => {
        throw paused
      }
      const running = { ...library, ...over }
      await invalidateEdges({ ...running, clock: { now: () => running.clock.now(), sleep } }, never).catch((error: unknown) => {
        if (error !== paused) throw error
      })
    },
    link: (linkId: LinkId) => getLink({ table }, linkId),
    /** Invalidations that are left. */
    left: async () => (await table.query({ pk: INVALIDATIONS })).items,
    /** Objects that renderers may read of a link. */
    sources: async (linkId: LinkId) => (await objects.list(publicKeys.sources(linkId))).objects.map(({ key }) => key),
  }
}

type EdgesWorld = Awaited<ReturnType<typeof setUpEdges>>

/** Edges keep nothing of before: each link was asked for when nothing old could come behind it, and that has ended. */
export async function assertTold(world: EdgesWorld, numbers: readonly number[], { ended = false, alias = 'press' } = {}): Promise<void> {
  const { edges, clock } = world
  assert.deepEqual(await world.left(), [])
  for (const number of numbers) {
    const linkId = linkIdOf(number)
    const asked = edges.forgetting(linkId, alias)
    assert.ok(asked.length > 0 && asked.every(({ begun }) => begun + edges.seconds * 1000 <= clock.now()), `link ${number}`)
    const link = await world.link(linkId)
    if (ended) {
      assert.equal(link, undefined)
      continue
    }
    assert.equal(stateOf(link!), 'active')
    assert.ok(link!.changed >= world.began + 60_000)
    assert.deepEqual(await world.sources(linkId), [publicKeys.original(linkId, link!.revision)])
  }
}
