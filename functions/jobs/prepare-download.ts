import { copyJob, makeNamedCopy } from '../../shared/library/downloads/prepare.ts'
import { job } from '../../shared/runtime/consumer.ts'
import { copying } from './prepare-downloads.ts'

export const prepareDownload = job({
  ...copying,
  kind: copyJob,
  summary: "Prepares a download that a request didn't: writes the library's metadata into a copy of a file",
  async run({ input, job: { cutOff }, ...library }) {
    await makeNamedCopy(library, input, cutOff)
    return undefined
  },
})
