import * as z from 'zod'
import { AnswerCompanyId, AnswerIsoTime, AnswerKeyId, AnswerMediaId, AnswerUserId } from '../../shared/http/declaration/fields.ts'
import { type JobRecord, jobIdIn } from '../../shared/library/jobs/job.ts'
import { timeIn } from '../../shared/library/jobs/states.ts'
import { isoTime } from '../../shared/library/time.ts'
import type { Usage } from '../../shared/library/usage/usage.ts'

/** A user's full name. */
export const FullName = z.string().meta({ examples: ['Anna Berg'] })

/** A user in the list of a company's users. */
export const CompanyUser = z.object({
  id: AnswerUserId,
  fullname: FullName,
  href: z.string().meta({ format: 'uri', description: 'address of the user', examples: ['https://library.example.com/user/70311'] }),
})

export const ApiKey = z
  .object({
    id: AnswerKeyId,
    key: z.string().meta({ examples: ['company2key'] }),
    secret: z.string().meta({ examples: ['company2secret'] }),
    companyId: AnswerCompanyId,
  })
  .meta({ id: 'ApiKey' })

const count = z.number().int().meta({ minimum: 0 })

/** Usage by originals of available files. Files in trashcans count until they are removed. */
export const DiskUsage = z
  .object({
    bytes: count.meta({ description: 'bytes of originals, of former versions too', examples: [73400320] }),
    files: count.meta({ examples: [12] }),
    version_bytes: count.meta({ description: 'the part of `bytes` that only former versions hold', examples: [0] }),
  })
  .meta({ id: 'DiskUsage' })

export const usageJson = ({ bytes, files, versionBytes }: Usage) => ({ bytes, files, version_bytes: versionBytes })

export const JobId = z
  .string()
  .regex(/^[!-~]+$/, 'must be the id of a job')
  .max(300)
  .meta({ examples: ['encode-video.902114'] })

export const FailedJobs = z
  .object({
    jobs: z.array(
      z.object({
        job_id: JobId,
        kind: z.string().meta({ examples: ['encode-video'] }),
        media_id: AnswerMediaId.nullable().describe('the file that it works on, where it is one'),
        asked: AnswerIsoTime.describe('when it was asked for'),
        next_try: AnswerIsoTime,
      }),
    ),
    more: z.boolean().describe('whether there may be more'),
  })
  .meta({ id: 'FailedJobs' })

export function failedJobJson(job: JobRecord): z.input<typeof FailedJobs>['jobs'][number] {
  const { kind, input, askedAt } = job
  const { mediaId = null } = (input ?? {}) as { mediaId?: number }
  return { job_id: jobIdIn(job), kind, media_id: mediaId, asked: isoTime(askedAt), next_try: isoTime(timeIn(job)) }
}

/** The same of a company, with what limits it. */
export const CompanyDiskUsage = DiskUsage.extend({
  quota_bytes: count
    .optional()
    .meta({ description: 'most that originals may take; absent where nothing limits them', examples: [100_000_000_000] }),
  reserved_bytes: count
    .optional()
    .meta({ description: 'of a quota: taken by uploads that are no available files yet', examples: [8388608] }),
}).meta({ id: 'CompanyDiskUsage' })
