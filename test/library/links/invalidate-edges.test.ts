import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type EdgeCache, EdgeCacheBusy, type Forgotten, MAX_PREFIXES, MAX_TAGS } from '../../../shared/backends/edge-cache/port.ts'
import type { Objects } from '../../../shared/backends/objects/port.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { LEASE_MS, performJob } from '../../../shared/library/jobs/perform.ts'
import { reviveJobs } from '../../../shared/library/jobs/revive.ts'
import { invalidateEdges } from '../../../shared/library/links/invalidate-edges.ts'
import { forgetLink, forgetStream, INVALIDATIONS, invalidationJob } from '../../../shared/library/links/invalidation.ts'
import { cacheTag, publicKeys } from '../../../shared/library/links/public-keys.ts'
import { getLink, type LinkRecord, linkKey, stateOf } from '../../../shared/library/media/link.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { type LinkId, toCompanyId, toContentsId, toEncodingId, toFolderId, toLinkId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { openTestObjects, openTestTable } from '../../support/library.ts'
import type { TestClock } from '../../support/test-clock.ts'

const never = () => false

const linkIdOf = (number: number): LinkId => toLinkId(number.toString(16).padStart(32, '0'))

/** A request to edges, as they took it. */
interface Taken {
  id: string
  tags: readonly string[]
  prefixes: readonly string[]
  begun: number
}

/** Edges that take some time to forget, by the clock of the test. */
class FakeEdges implements EdgeCache {
  inFlightSeconds = 60
  pauseSeconds = 5
  /** Seconds that a request takes. */
  seconds = 20
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

  #isOver(begun: number): boolean {
    return this.#clock.now() >= begun + this.seconds * 1000
  }
}

/** Links that edges are to forget, with the job and edges that a test governs. */
async function setUpEdges() {
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
      await objects.put(publicKeys.original(linkId, { revision: shown }), Buffer.from(String(shown)), { contentType: 'image/jpeg' })
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
async function assertTold(world: EdgesWorld, numbers: readonly number[], { ended = false, alias = 'press' } = {}): Promise<void> {
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
    assert.equal(stateOf(link!, {}), 'active')
    assert.ok(link!.changed >= world.began + 60_000)
    assert.deepEqual(await world.sources(linkId), [publicKeys.original(linkId, { revision: link!.revision })])
  }
}

describe('edges', () => {
  test('they are asked at once, and again when nothing rendered before can be on its way', async () => {
    const world = await setUpEdges()
    const began = world.clock.now()
    const linkId = await world.published(1)
    await world.run()
    assert.equal(stateOf((await world.link(linkId))!, {}), 'replacing')
    assert.equal((await world.sources(linkId)).length, 2, 'renderers of before may still read')
    await world.finish()
    const { taken } = world.edges
    assert.deepEqual(
      taken.map(({ tags, begun }) => ({ tags, after: begun - began })),
      [
        { tags: [`link-${linkId}`], after: 0 },
        { tags: [`link-${linkId}`], after: 60_000 },
      ],
    )
    await assertTold(world, [1])
  })

  test('a link that has ended is gone when edges have forgotten it', async () => {
    const world = await setUpEdges()
    const linkId = await world.published(1, { ended: true })
    await world.run()
    assert.notEqual(await world.link(linkId), undefined)
    await world.finish()
    assert.equal(world.edges.taken.length, 2)
    await assertTold(world, [1], { ended: true })
  })

  test('1,200 links that end, of 12 aliases, take two requests a round', async () => {
    const world = await setUpEdges()
    const numbers = Array.from({ length: 1200 }, (_, index) => index + 1)
    for (const number of numbers) await world.published(number, { ended: true, alias: `press-${number % 12}` })
    const runs = await world.finish()
    assert.equal(world.edges.taken.length, 4)
    assert.deepEqual(
      world.edges.taken.map(({ tags }) => new Set(tags).size).sort((a, b) => a - b),
      [200, 200, MAX_TAGS, MAX_TAGS],
    )
    assert.ok(runs < 10, `${runs} runs`)
    for (const number of numbers) await assertTold(world, [number], { ended: true, alias: `press-${number % 12}` })
  })

  test('links of other aliases, and streams, are forgotten by themselves beside an alias that is forgotten as a whole', async () => {
    const world = await setUpEdges()
    for (let number = 1; number <= 200; number += 1) await world.published(number)
    const other = await world.published(1000, { alias: 'shop' })
    await world.streamRemoved(7)
    await world.finish()
    assert.deepEqual([...new Set(world.edges.taken.flatMap(({ tags }) => tags))], [`link-${other}`])
    const prefixes = new Set(world.edges.taken.flatMap((taken) => taken.prefixes))
    assert.deepEqual(prefixes, new Set(['/press/', '/streams/00000000000000000000000000000007/']))
    await assertTold(world, [1000], { alias: 'shop' })
    await assertTold(world, [1, 200])
  })

  test('a cache that asks for patience, whatever it is asked, loses nothing', async () => {
    const world = await setUpEdges()
    await world.published(1)
    let refused = 0
    const patience = () => {
      refused += 1
      if (refused % 3 !== 0) throw new EdgeCacheBusy('throttled')
    }
    const { edges } = world
    const busy = {
      ...{ inFlightSeconds: 60, pauseSeconds: 5 },
      async invalidate(what: Forgotten, reference: string) {
        patience()
        return edges.invalidate(what, reference)
      },
      async isDone(id: string) {
        patience()
        return edges.isDone(id)
      },
    }
    await world.finish({ edgeCache: busy })
    await assertTold(world, [1])
    assert.ok(world.lines.some((line) => line.includes('too much to do')))
  })

  test('a revision that comes meanwhile is told from the start, and the end of the one before says nothing of it', async () => {
    const world = await setUpEdges()
    const linkId = await world.published(1)
    await world.run()
    world.clock.advance(70)
    await world.run()
    const since = world.clock.now()
    await world.published(1, { revision: 3 })
    await world.finish()
    assert.ok(world.edges.taken.some(({ begun }) => begun >= since + 60_000))
    await assertTold(world, [1])
    assert.equal((await world.link(linkId))!.revision, 3)
  })

  test('a link that shows something else already stays to be published', async () => {
    const world = await setUpEdges()
    const linkId = await world.published(1)
    await world.table.update(linkKey(linkId), { set: { mediaId: toMediaId(9) }, add: { revision: 1 } })
    await world.finish()
    assert.deepEqual(await world.left(), [])
    const link = (await world.link(linkId))!
    assert.deepEqual([link.changed, link.stale, stateOf(link, {})], [1, undefined, 'replacing'])
  })
})

describe('runs that tell edges', () => {
  test.each(['before', 'after'] as const)('may end %s any call', async (when) => {
    for (let failing = 1, wasReached = true; wasReached; failing += 1) {
      const world = await setUpEdges()
      await world.published(1)
      const faults = new Faults(failing, when)
      await unlessEnded(world.run({ table: faults.in(world.library.table), publicFiles: faults.in(world.library.publicFiles) }))
      wasReached = faults.hasFailed
      await world.finish()
      await assertTold(world, [1])
    }
  })

  test('a link that comes while one asks edges is not forgotten', async () => {
    const world = await setUpEdges()
    await world.published(1)
    const { edges } = world
    let isFirst = true
    const slow = {
      ...{ inFlightSeconds: 60, pauseSeconds: 5 },
      isDone: (id: string) => edges.isDone(id),
      async invalidate(what: Forgotten, reference: string) {
        if (isFirst) await world.published(2)
        isFirst = false
        return edges.invalidate(what, reference)
      },
    }
    await world.finish({ edgeCache: slow })
    await assertTold(world, [1, 2])
  })

  test('that are out of time at once leave the work to others, which come to the end', async () => {
    const world = await setUpEdges()
    for (const number of [1, 2, 3]) await world.published(number)
    let asked = 0
    await world.finish({}, () => {
      world.clock.advance(1)
      return ++asked % 3 !== 0
    })
    assert.deepEqual(await world.left(), [])
    for (const number of [1, 2, 3]) assert.equal(stateOf((await world.link(linkIdOf(number)))!, {}), 'active')
  })
})
