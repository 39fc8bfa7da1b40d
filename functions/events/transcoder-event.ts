import * as z from 'zod'
import { CATALOGUE, MAX_ID, toCompanyId, toMediaId } from '../../shared/vocabulary/ids.ts'

/** Metadata of a job are texts. */
const whole = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().max(MAX_ID))

const Video = z.object({
  companyId: whole.pipe(z.number().min(CATALOGUE)).transform(toCompanyId),
  mediaId: whole.pipe(z.number().min(1)).transform(toMediaId),
})

/**
 * The video of which a job has ended, read from an event of MediaConvert as EventBridge delivers it. Nothing else that it says is believed.
 * Source: MediaConvert User Guide, "Using EventBridge with AWS Elemental MediaConvert". User metadata are those of the job.
 */
export const TranscoderEvent = z
  .object({ 'detail-type': z.literal('MediaConvert Job State Change'), detail: z.object({ userMetadata: Video }) })
  .transform(({ detail }) => detail.userMetadata)
