import { supersededJob } from '../../shared/library/downloads/copy-record.ts'
import { removeSuperseded as remove } from '../../shared/library/downloads/remove.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const removeSuperseded = job({
  kind: supersededJob,
  group: 'long-jobs',
  summary: 'Removes the copy of a file that was prepared for downloads before its metadata changed',
  uses: { table: 'write', media: 'write' },
  seconds: 60,
  async run({ input, ...library }) {
    return remove(library, input)
  },
})
