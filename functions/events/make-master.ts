import { queueConsumer } from '../../shared/events/consumer.ts'
import { makeMaster as make } from '../../shared/library/publishing/make-master.ts'

export const makeMaster = queueConsumer({
  summary: 'Makes the picture that small sizes of a link are rendered from, and of formats that libvips does not decode one that it does',
  trigger: { queue: 'masters', concurrency: 5 },
  uses: { table: 'read', media: 'read', publicFiles: 'store', masterMaker: 'use' },
  timeoutSeconds: 900,
  memoryMb: 3008,
  // The original, what it is converted to, and the master.
  temporaryMb: 10_240,
  async handle({ message, lastTry, ...library }) {
    await make(library, message, lastTry)
  },
})
