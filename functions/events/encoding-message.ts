import * as z from 'zod'
import { MAX_ID, toCompanyId, toMediaId } from '../../shared/library/vocabulary/ids.ts'

const id = z.coerce.number().int().min(1).max(MAX_ID)

const Video = z.object({ companyId: id.transform(toCompanyId), mediaId: id.transform(toMediaId) })

const Own = Video.transform((video) => ({ video, hasJobEnded: false }))

/** Source: MediaConvert User Guide, "Using EventBridge with AWS Elemental MediaConvert". User metadata are those of the job. */
const JobEvent = z
  .object({ detail: z.object({ userMetadata: Video }) })
  .transform(({ detail }) => ({ video: detail.userMetadata, hasJobEnded: true }))

/** The video that a message is of: as the service sends it, or an event of MediaConvert as EventBridge delivers it. */
export const EncodingMessage = z.union([Own, JobEvent])
