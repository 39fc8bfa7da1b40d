import { job } from '../../shared/events/consumer.ts'
import { askForEach, publication } from '../../shared/library/links/publication.ts'
import { publishLink as publish } from '../../shared/library/publishing/publish-link.ts'

export const publishLink = job({
  kind: publication,
  summary: 'Brings the public bucket to what a link says: copies the file that it shows, or removes what it showed',
  uses: { table: 'write', media: 'read', publicFiles: 'write' },
  // Storage copies the largest files itself, in parts, within seconds.
  seconds: 60,
  runs: 10,
  async run({ input, companyId, ...library }) {
    if ('links' in input) await askForEach(library, companyId, input.links)
    else await publish(library, input)
    return undefined
  },
})
