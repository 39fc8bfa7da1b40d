import { Conflict } from '../../shared/library/errors.ts'
import { finishDeparture } from '../../shared/library/people/departure.ts'
import { removeMemberships } from '../../shared/library/removals/clique.ts'
import { removeContents, type Walk } from '../../shared/library/removals/folder.ts'
import { removalJob } from '../../shared/library/tree/folder-changes.ts'
import { endSharedUploads } from '../../shared/library/uploads/ending.ts'
import { job } from '../../shared/runtime/consumer.ts'
import { outOfTimeAfter } from '../../shared/runtime/run-time.ts'

/** Milliseconds of one run: removals of other companies have their turn then. */
const RUN_MS = 60_000

export const finishRemoval = job({
  kind: removalJob,
  group: 'long-jobs',
  summary:
    'Removes what a deleted folder or clique leaves behind, what is being sent by a share link that was closed, and the rights of former members',
  uses: { table: 'writeByFolder', partUploads: 'sweep' },
  seconds: 900,
  async run({ input, companyId, job: { cursor }, ...library }) {
    const outOfTime = outOfTimeAfter(RUN_MS)
    if ('folderId' in input) return removeContents(library, { companyId, ...input, walk: cursor as Walk | undefined }, outOfTime)
    if ('shareId' in input) return (await endSharedUploads(library, input.shareId, outOfTime)) ? {} : undefined
    if ('userId' in input) return finishDeparture(library, input)
    return (await removeMemberships(library, input.cliqueId, outOfTime)) ? undefined : {}
  },
  async cancelled() {
    throw new Conflict('What a removal leaves behind is removed in any case.')
  },
})
