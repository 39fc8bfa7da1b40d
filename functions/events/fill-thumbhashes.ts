import { schedule } from '../../shared/events/consumer.ts'
import { LONGEST_SCHEDULED_RUN, outOfTimeAfter } from '../../shared/events/run-time.ts'
import { fillThumbHashes } from '../../shared/library/imports/fill-thumbhashes.ts'

export const fillThumbhashes = schedule({
  summary: 'Gives ThumbHashes to pictures that earlier versions imported, until all have one',
  trigger: { everyMinutes: 60 },
  uses: { table: 'writeByFeed', media: 'read', thumbHasher: 'use' },
  timeoutSeconds: 900,
  memoryMb: 1769,
  async handle(library) {
    await fillThumbHashes(library, outOfTimeAfter(LONGEST_SCHEDULED_RUN))
  },
})
