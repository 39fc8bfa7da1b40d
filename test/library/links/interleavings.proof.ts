import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { test } from 'vitest'
import { embeddedEdgeCache } from '../../../shared/backends/edge-cache/embedded.ts'
import type { Operations } from '../../../shared/backends/table/port.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { type Claimed, JOB_RECORDS, kindIn } from '../../../shared/library/jobs/job.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { LEASE_MS, performJob } from '../../../shared/library/jobs/perform.ts'
import { reviveJobs } from '../../../shared/library/jobs/revive.ts'
import { invalidateEdges } from '../../../shared/library/links/invalidate-edges.ts'
import { invalidationJob } from '../../../shared/library/links/invalidation.ts'
import { makeMaster } from '../../../shared/library/links/make-master.ts'
import { readManifest } from '../../../shared/library/links/manifest.ts'
import { publicKeys } from '../../../shared/library/links/public-keys.ts'
import { masterJob } from '../../../shared/library/links/public-objects.ts'
import { publishLink } from '../../../shared/library/links/publish-link.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import { getLink, publication, stateOf } from '../../../shared/library/media/link.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { everyObject } from '../../../shared/library/pages.ts'
import type { LinkId, MediaId } from '../../../shared/vocabulary/ids.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { turnsOf } from '../../support/turns.ts'
import { setUp, type World } from './set-up.ts'

const KINDS = [publication.name, masterJob.name, invalidationJob.name]

/** What happens to a link, one after the other, while jobs run. Kinds of jobs are wake-ups that come twice. */
const steps = fc.array(fc.constantFrom('replace', 'exchange', 'exchange', 'back', 'end', 'late', ...KINDS), {
  minLength: 1,
  maxLength: 7,
})
/** At which of its calls a run crashes, in the order in which runs begin. */
const crashes = fc.array(fc.option(fc.tuple(fc.integer({ min: 1, max: 14 }), fc.constantFrom('before', 'after'))), { maxLength: 12 })

interface Running {
  through<Port extends object>(port: Port): Port
  wake(kind: string): void
}

/** A wake-up: a run takes the next job of a kind, on its ports. */
async function run(world: World, kind: string, { through, wake }: Running): Promise<void> {
  const { library, media, making, clock } = world
  const [table, publicFiles] = [through(waking(world.table, wake)), through(world.publicFiles)]
  const ports = { ...library, table, publicFiles }
  const jobs = { table, clock, log: making.log }
  const work = async ({ input }: Claimed) => {
    if (kind === invalidationJob.name)
      return invalidateEdges({ ...ports, ...jobs, clock: clock.hasty, edgeCache: embeddedEdgeCache() }, () => false)
    if (kind === publication.name) await publishLink({ ...ports, media }, input as { linkId: LinkId; alias: string })
    else await makeMaster({ ...making, table, publicFiles }, input as { linkId: LinkId; revision: number; file?: number })
    return undefined
  }
  const job = await claimNext(jobs, kind, undefined, LEASE_MS)
  if (job) await performJob(jobs, job, () => work(job))
}

/** A table that tells of the jobs that are asked for. */
function waking(table: World['table'], wake: Running['wake']): World['table'] {
  return new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'transact') return value.bind(target)
      return async (operations: Operations) => {
        await target.transact(operations)
        for (const operation of Object.values(operations)) {
          if ('update' in operation && operation.update.pk.startsWith(JOB_RECORDS))
            wake(kindIn(operation.update.pk.slice(JOB_RECORDS.length)))
        }
      }
    },
  })
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
  const { revision, mediaId, linkId: id } = link
  const media = (await getMedia(world.library, mediaId!))!
  const shown = { revision, file: media.fileNumber ?? 1 }
  const bytes = await text((await world.media.get(objectKeys.original(media))).stream)
  assert.equal(stateOf(link, media), 'active')
  const manifest = publicKeys.manifest(link)
  const read = readManifest(Buffer.from(objects[manifest]!))
  assert.deepEqual([read.revision, read.file], [revision, shown.file])
  assert.deepEqual(
    { ...objects, [manifest]: 'read' },
    {
      [publicKeys.copy(link)]: bytes,
      [manifest]: 'read',
      [publicKeys.original(id, shown)]: bytes,
      [publicKeys.master(id, shown)]: 'master of image/jpeg',
      [publicKeys.smallMaster(id, shown)]: 'small of image/jpeg',
      [publicKeys.pyramid(id, shown)]: 'pyramid of image/jpeg',
    },
  )
}

test('whatever the order of jobs, wherever they crash or lose their leases, the public bucket holds what the table says', async () => {
  const world = await setUp()
  const { create, change, exchange, back, file, clock, table } = world
  const files = [await file(), await file(), await file()]
  const isReplaced = async (mediaId: MediaId) => (await getMedia(world.library, mediaId))?.fileNumber !== undefined
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), steps, fc.option(crashes), async (scheduler, happening, crashing) => {
      const { linkId } = await create(files[0]!)
      const [running, crashed]: [Promise<void>[], NonNullable<typeof crashing>] = [[], [...(crashing ?? [])]]
      const turns = turnsOf(scheduler)
      const wake = (kind: string) => void running.push(begin(kind))
      async function begin(kind: string): Promise<void> {
        const [call, when] = crashed.shift() ?? [Number.POSITIVE_INFINITY, 'before']
        const faults = new Faults(call, when === 'before' ? 'before' : 'after')
        await unlessEnded(run(world, kind, { through: (port) => faults.in(turns(port)), wake }))
      }
      const allOf = async (what: readonly string[]) => {
        wake(publication.name)
        for (const step of what) {
          await scheduler.schedule(Promise.resolve(), step)
          const { mediaId, revision } = (await getLink(world.library, linkId)) ?? { mediaId: null, revision: 0 }
          if (step === 'replace' && mediaId !== null) await change({ linkId }, files[revision % files.length]!)
          if (step === 'exchange' && mediaId !== null) await exchange(mediaId, randomUUID())
          if (step === 'back' && mediaId !== null && (await isReplaced(mediaId))) await back(mediaId, 1)
          if (step === 'end' && mediaId !== null) await change({ linkId }, null)
          // A run that lost its lease goes on. Nobody could tell what it wrote, if it crashed then.
          if (step === 'late' && crashing === null) {
            clock.advance(LEASE_MS / 1000 + 1)
            for (const kind of KINDS) await reviveJobs({ table, clock }, kind)
          }
          wake(KINDS.includes(step) ? step : publication.name)
        }
        // Those that run start others.
        for (let next = 0; next < running.length; next += 1) await running[next]
      }
      await scheduler.waitFor(allOf(happening))
      // Leases of the dead end, and nothing crashes any more.
      const plain: Running = { through: (port) => port, wake: () => undefined }
      while ((await listJobs({ table }, KINDS, {})).length > 0) {
        clock.advance(LEASE_MS / 1000 + 1)
        for (const kind of KINDS) {
          await reviveJobs({ table, clock }, kind)
          await run(world, kind, plain)
        }
      }
      await assertRight(world, linkId)
      assert.equal((await table.query({ pk: 'INVALIDATIONS', sk: { beginsWith: 'LINK#' } })).items.length, 0)
    }),
    { numRuns: 75 },
  )
})
