import { suggestionJob, suggestionsCancelled } from '../../shared/library/media/suggestions.ts'
import { suggestKeywords as suggest } from '../../shared/library/suggestions/suggest.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const suggestKeywords = job({
  kind: suggestionJob,
  group: 'short-jobs',
  summary: 'Has keywords suggested for the pictures of companies that opted in to it',
  uses: { table: 'write', keywords: 'suggest' },
  seconds: 60,
  // Most regions of Rekognition take five pictures a second; one takes about a second.
  runs: 3,
  async run({ input: { mediaId }, ...library }) {
    await suggest(library, mediaId)
  },
  cancelled: (library, { mediaId }) => suggestionsCancelled(library, mediaId),
})
