import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { test } from 'vitest'
import { embeddedEdgeCache } from '../../../shared/backends/edge-cache/embedded.ts'
import type { QueueSender } from '../../../shared/backends/queue/port.ts'
import type { Operations } from '../../../shared/backends/table/port.ts'
import { getLink, stateOf } from '../../../shared/library/links/link.ts'
import { publicKeys } from '../../../shared/library/links/public-keys.ts'
import { everyObject } from '../../../shared/library/pages.ts'
import { tellEdges } from '../../../shared/library/publishing/invalidations.ts'
import { makeMaster } from '../../../shared/library/publishing/make-master.ts'
import { readManifest } from '../../../shared/library/publishing/manifest.ts'
import { publishLink } from '../../../shared/library/publishing/publish-link.ts'
import type { LinkId } from '../../../shared/vocabulary/ids.ts'
import type { Messages } from '../../../shared/vocabulary/messages.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { tries } from '../../support/tries.ts'
import { turnsOf } from '../../support/turns.ts'
import { ALIAS, setUp, type World } from './set-up.ts'

/** Longer than a publisher's claim, and than that of a run which tells edges. In seconds. */
const ALL_CLAIMS = 120

/** What happens to a link, one after the other, while jobs run. A job among them is one whose message comes twice. */
const steps = fc.array(fc.constantFrom('replace', 'replace', 'end', 'publish', 'master', 'edges'), { minLength: 1, maxLength: 7 })
/** At which of its calls a job crashes, in the order in which jobs begin. */
const crashes = fc.array(fc.option(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom('before', 'after'))), { maxLength: 12 })

/** Runs a job on its ports. What it sends starts jobs. @returns whether it is to run again */
async function run(world: World, job: string, linkId: LinkId, { through, start }: Running): Promise<boolean> {
  const { library, media, making, clock } = world
  const [table, publicFiles] = [through(startingMasters(world.table, start)), through(world.publicFiles)]
  const invalidations = through(into((_: Messages['invalidations']) => start('edges')))
  const ports = { ...library, table, publicFiles, invalidations }
  if (job === 'publish') return (await publishLink({ ...ports, media }, { linkId, alias: ALIAS })) !== undefined
  if (job === 'edges') await tellEdges({ ...ports, clock, edgeCache: embeddedEdgeCache(), log: making.log }, {}, () => false)
  else await makeMaster({ ...making, table, publicFiles }, { linkId, revision: Number(job.slice('master '.length)) })
  return false
}

interface Running {
  through<Port extends object>(port: Port): Port
  start(job: string): void
}

/** A table that starts the job of a master once one is asked for. */
function startingMasters(table: World['table'], start: Running['start']): World['table'] {
  return new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'transact') return value.bind(target)
      return async (operations: Operations) => {
        await target.transact(operations)
        const { master } = operations
        if (master && 'update' in master) start(`master ${(master.changes.set!.input as { revision: number }).revision}`)
      }
    },
  })
}

/** A queue whose messages are taken at once. */
function into<Message>(take: (message: Message) => void): QueueSender<Message> {
  return { send: async (message) => take(message), sendMany: async (messages) => messages.forEach(take) }
}

/** What the public bucket has of a link, by key. */
async function objectsOf({ publicFiles }: World, linkId: LinkId): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { key } of everyObject(publicFiles, '')) {
    if (key.includes(linkId)) found[key] = await text((await publicFiles.get(key)).stream)
  }
  return found
}

/** The table and the public bucket say the same of a link, and nothing else is left. */
async function assertRight(world: World, linkId: LinkId): Promise<void> {
  const link = await getLink(world.library, linkId)
  const objects = await objectsOf(world, linkId)
  if (!link) return assert.deepEqual(objects, {})
  const { revision, mediaId, publisher, dueKey } = link
  assert.deepEqual([stateOf(link), publisher, dueKey], ['active', undefined, undefined])
  const manifest = publicKeys.manifest(link)
  assert.equal(readManifest(Buffer.from(objects[manifest]!)).revision, revision)
  assert.deepEqual(
    { ...objects, [manifest]: 'read' },
    {
      [publicKeys.copy(link)]: `file ${mediaId}`,
      [manifest]: 'read',
      [publicKeys.original(linkId, revision)]: `file ${mediaId}`,
      [publicKeys.master(linkId, revision)]: 'master of image/jpeg',
      [publicKeys.smallMaster(linkId, revision)]: 'small of image/jpeg',
    },
  )
}

test('whatever the order of jobs and wherever they crash, the public bucket holds what the table says', { timeout: 120_000 }, async () => {
  const world = await setUp()
  const { create, change, file, clock, table } = world
  const files = [await file(), await file(), await file()]
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), steps, crashes, async (scheduler, happening, crashing) => {
      const { linkId } = await create(files[0]!)
      const [running, again, crashed]: [Promise<void>[], string[], typeof crashing] = [[], [], [...crashing]]
      const turns = turnsOf(scheduler)
      const start = (job: string) => void running.push(begin(job))
      async function begin(job: string): Promise<void> {
        const [call, when] = crashed.shift() ?? [Number.POSITIVE_INFINITY, 'before']
        const faults = new Faults(call, when === 'before' ? 'before' : 'after')
        const through: Running['through'] = (port) => faults.in(turns(port))
        await unlessEnded(
          run(world, job, linkId, { through, start }).then((isLater) => {
            if (isLater) again.push(job)
          }),
        )
        if (faults.hasFailed) again.push(job)
      }
      const allOf = async (what: readonly string[]) => {
        start('publish')
        for (const step of what) {
          await scheduler.schedule(Promise.resolve(), step)
          const { mediaId, revision } = (await getLink(world.library, linkId)) ?? { mediaId: null, revision: 0 }
          if (step === 'replace' && mediaId !== null) await change({ linkId }, files[revision % files.length]!)
          if (step === 'end' && mediaId !== null) await change({ linkId }, null)
          start(step === 'master' ? `master ${revision}` : step === 'edges' ? step : 'publish')
        }
        // Those that run start others.
        for (let next = 0; next < running.length; next += 1) await running[next]
      }
      await scheduler.waitFor(allOf(happening))
      // Messages come again, and nothing crashes any more.
      const left = [...again, 'publish']
      const plain: Running = { through: (port) => port, start: (job) => void left.push(job) }
      for (let job = left.shift(); job !== undefined; job = left.shift()) {
        clock.advance(ALL_CLAIMS)
        if (await run(world, job, linkId, plain)) left.push(job)
      }
      await assertRight(world, linkId)
      assert.equal((await table.query({ pk: 'INVALIDATIONS', sk: { beginsWith: 'LINK#' } })).items.length, 0)
    }),
    { numRuns: tries(15, 75) },
  )
})
