import type { Clock } from '../../backends/clock/port.ts'
import type { QueueSender } from '../../backends/queue/port.ts'
import { type Changes, type Condition, ConditionFailed, type Key, type Table } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import { type CliqueRemoval, removalKey } from '../cliques/clique.ts'
import { forEachDue, isDue, jobDueAgain } from '../due.ts'
import { getMedia } from '../media/find.ts'
import { postponeImport } from '../media/importing.ts'
import { isAvailable } from '../media/media.ts'
import { changeTree, loadTree } from '../tree/tree-store.ts'
import { companyGroup, type Messages } from '../vocabulary/messages.ts'

interface Sweeping {
  table: Table
  imports: QueueSender<Messages['imports']>
  removals: QueueSender<Messages['removals']>
  clock: Clock
  log: Log
}

/**
 * Queues jobs again that have not ended in time, whatever became of them: imports, removals of what folders held, and of cliques. A job
 * that was not lost runs twice, which all of them bear. Any number of runs, also at the same time; what is left when time is up is for
 * the next run.
 * @param outOfTime asked before each job; true stops
 * @throws AggregateError after all others are done
 */
export async function sweepJobs(sweeping: Sweeping, outOfTime: () => boolean): Promise<void> {
  const { table, clock } = sweeping
  await forEachDue(table, { kind: 'JOB', now: clock.now() }, outOfTime, (entry) => queueAgain(sweeping, entry))
}

/** The job goes first: should the process die then, it is queued again by the next run. */
async function queueAgain(sweeping: Sweeping, { pk, sk }: Key): Promise<void> {
  const [kind, id] = [pk.slice(0, pk.indexOf('#')), Number(pk.slice(pk.indexOf('#') + 1))]
  if (kind === 'MEDIA') await importAgain(sweeping, id)
  else if (kind === 'CLIQUE') await removeCliqueAgain(sweeping, id)
  else await removeFolderAgain(sweeping, id, Number(sk.slice('FOLDER#'.length)))
}

async function importAgain(sweeping: Sweeping, mediaId: number): Promise<void> {
  const { imports, clock, log } = sweeping
  const media = await getMedia(sweeping, mediaId)
  if (!media || isAvailable(media) || !isDue(media, clock.now())) return
  const { companyId, created } = media
  log.warn('import has not ended in time: queued again', { media: mediaId, since: new Date(created).toISOString() })
  await imports.send({ mediaId }, { group: companyGroup(companyId) })
  await postponeImport(sweeping, media)
}

async function removeFolderAgain({ table, removals, clock, log }: Sweeping, companyId: number, folderId: number): Promise<void> {
  const [folder] = (await loadTree(table, companyId)).stored(new Set([folderId]))
  const now = clock.now()
  if (folder?.deleted === undefined || !isDue(folder, now)) return
  const { deleted, dueAt } = folder
  log.warn('removal of a folder has not ended in time: queued again', { folder: folderId, since: new Date(deleted).toISOString() })
  await removals.send({ companyId, folderId }, { group: companyGroup(companyId) })
  await changeTree(table, clock, companyId, (tree) => {
    const [current] = tree.stored(new Set([folderId]))
    return current?.dueAt === dueAt ? { put: [{ ...current!, ...jobDueAgain(folderId, deleted, now) }] } : undefined
  })
}

async function removeCliqueAgain({ table, removals, clock, log }: Sweeping, cliqueId: number): Promise<void> {
  const removal = await table.get<CliqueRemoval>(removalKey(cliqueId))
  const now = clock.now()
  if (!removal || !isDue(removal, now)) return
  const { companyId, deleted, dueAt } = removal
  log.warn('removal of a clique has not ended in time: queued again', { clique: cliqueId, since: new Date(deleted).toISOString() })
  await removals.send({ companyId, cliqueId }, { group: companyGroup(companyId) })
  await unlessChanged(table, removalKey(cliqueId), { set: jobDueAgain(cliqueId, deleted, now) }, { dueAt: { equals: dueAt } })
}

/** A condition that fails says that the job has ended, or that another run was faster: nothing to do. */
async function unlessChanged(table: Table, key: Key, changes: Changes, condition: Condition): Promise<void> {
  try {
    await table.update(key, changes, condition)
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
}
