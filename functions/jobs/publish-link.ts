import { copyInRuns } from '../../shared/library/jobs/copy-in-runs.ts'
import { publishLink as publish } from '../../shared/library/links/publish-link.ts'
import { askForEachPublication, publication } from '../../shared/library/media/link.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const publishLink = job({
  kind: publication,
  group: 'short-jobs',
  summary: 'Brings the public bucket to what a link says: copies the file that it shows, or removes what it showed',
  uses: { table: 'write', media: 'read', publicFiles: 'write' },
  // Storage copies files itself, in parts: large ones in several runs.
  seconds: 60,
  runs: 10,
  async run({ input, companyId, job, ...library }) {
    if (!('links' in input)) return publish(library, input, copyInRuns(library, job))
    await askForEachPublication(library, companyId, input.links)
    return undefined
  },
})
