import * as z from 'zod'
import { CATALOGUE, MAX_ID, toCompanyId, toMediaId } from '../../shared/vocabulary/ids.ts'

/** A number, or its digits: metadata of a job are texts. */
const whole = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.int().max(MAX_ID))

const Video = z.object({
  companyId: whole.pipe(z.number().min(CATALOGUE)).transform(toCompanyId),
  mediaId: whole.pipe(z.number().min(1)).transform(toMediaId),
})

const Own = Video.transform((video) => ({ video, hasJobEnded: false }))

/** Source: MediaConvert User Guide, "Using EventBridge with AWS Elemental MediaConvert". User metadata are those of the job. */
const JobEvent = z
  .object({ detail: z.object({ userMetadata: Video }) })
  .transform(({ detail }) => ({ video: detail.userMetadata, hasJobEnded: true }))

/** The video that a message is of: as the service sends it, or an event of MediaConvert as EventBridge delivers it. */
export const EncodingMessage = z.union([Own, JobEvent])
