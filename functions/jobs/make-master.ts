import { makeMaster as make } from '../../shared/library/links/make-master.ts'
import { masterJob } from '../../shared/library/links/public-objects.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const makeMaster = job({
  kind: masterJob,
  group: 'long-jobs',
  summary: 'Makes the picture that small sizes of a link are rendered from, and of formats that libvips does not decode one that it does',
  uses: { table: 'read', media: 'read', publicFiles: 'store', masterMaker: 'use' },
  seconds: 900,
  runs: 5,
  memoryMb: 3008,
  // The original, what it is converted to, and the master.
  temporaryMb: 10_240,
  async run({ input, ...library }) {
    await make(library, input)
    return undefined
  },
})
