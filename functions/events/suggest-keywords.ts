import { queueConsumer } from '../../shared/events/consumer.ts'
import { suggestKeywords as suggest } from '../../shared/library/suggestions/suggest.ts'

export const suggestKeywords = queueConsumer({
  summary: 'Has keywords suggested for the pictures of companies that opted in to it',
  // Most regions of Rekognition take five pictures a second; one takes about a second.
  trigger: { queue: 'suggestions', concurrency: 3 },
  uses: { table: 'write', keywords: 'suggest' },
  timeoutSeconds: 60,
  async handle({ message: { mediaId }, ...library }) {
    await suggest(library, mediaId)
  },
})
