import { labelPictures as label } from '../../shared/library/imports/label-pictures.ts'
import { labelsJob } from '../../shared/library/media/label-job.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const labelPictures = job({
  kind: labelsJob,
  group: 'long-jobs',
  summary: 'Writes the present copyright into the stored sizes of pictures and the posters of videos',
  uses: { table: 'read', media: 'write' },
  seconds: 300,
  runs: 5,
  async run({ input: { companyId, mediaIds }, ...library }) {
    await label(library, companyId, mediaIds)
    return undefined
  },
})
