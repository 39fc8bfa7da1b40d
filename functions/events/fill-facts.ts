import { fillFacts as fill } from '../../shared/library/imports/fill-facts.ts'
import { schedule } from '../../shared/runtime/consumer.ts'
import { LONGEST_SCHEDULED_RUN, outOfTimeAfter } from '../../shared/runtime/run-time.ts'

export const fillFacts = schedule({
  summary:
    'Fills in what earlier versions did not note of their files, until that is done: ThumbHashes, facts of videos. Has their streams lengthened',
  trigger: { everyMinutes: 60 },
  uses: { table: 'writeByFeed', media: 'read', thumbHasher: 'use', videoProbe: 'use' },
  timeoutSeconds: 900,
  memoryMb: 1769,
  // The outline of a film.
  temporaryMb: 1024,
  async handle(library) {
    await fill(library, outOfTimeAfter(LONGEST_SCHEDULED_RUN))
  },
})
