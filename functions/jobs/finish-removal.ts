import { job } from '../../shared/events/consumer.ts'
import { outOfTimeAfter } from '../../shared/events/run-time.ts'
import { Conflict } from '../../shared/library/errors.ts'
import { removeMemberships } from '../../shared/library/removals/clique.ts'
import { removeContents, type Walk } from '../../shared/library/removals/folder.ts'
import { removalJob } from '../../shared/library/tree/folder-changes.ts'

/** Milliseconds of one run: removals of other companies have their turn then. */
const RUN_MS = 60_000

export const finishRemoval = job({
  kind: removalJob,
  group: 'long-jobs',
  summary: 'Removes what a deleted folder or clique leaves behind',
  uses: { table: 'writeByFolder' },
  seconds: 900,
  async run({ input, companyId, job: { cursor }, ...library }) {
    const outOfTime = outOfTimeAfter(RUN_MS)
    if ('folderId' in input) return removeContents(library, { companyId, ...input, walk: cursor as Walk | undefined }, outOfTime)
    return (await removeMemberships(library, input.cliqueId, outOfTime)) ? undefined : {}
  },
  async cancelled() {
    throw new Conflict('What a deleted folder or clique leaves behind is removed in any case.')
  },
})
