import * as z from 'zod'
import { AnswerSeconds } from '../../shared/http/declaration/fields.ts'
import type { ZipRecord } from '../../shared/library/zips/zip.ts'
import { progressOf } from '../../shared/library/zips/zip.ts'

const EntryCount = z
  .number()
  .int()
  .meta({ minimum: 0, examples: [120] })

/** A zip job in answers. */
export const ZipJob = z
  .object({
    job_id: z.string().meta({ examples: ['Zx4Rk9Lp2VnTq7Wb0YcDsG'] }),
    state: z.enum(['PENDING', 'DONE', 'FAILED']),
    url: z
      .string()
      .nullable()
      .meta({ format: 'uri', examples: ['https://files.example.com/zips/1/archive?Signature=MEUCIQD'] }),
    valid_until: AnswerSeconds.nullable().describe('UNIX seconds until which the URL works; null until the job is DONE'),
    entries_done: EntryCount.optional().describe('how much of `entries_total` is done, while the archive is being made'),
    entries_total: EntryCount.optional().describe('how many entries the archive will have, once that is known, while it is being made'),
  })
  .meta({ id: 'ZipJob' })

/** @param url of the archive, where it is there */
export function zipJson(zip: ZipRecord, url?: string): z.input<typeof ZipJob> {
  const { jobId, state, validUntil } = zip
  const progress = progressOf(zip)
  return {
    job_id: jobId,
    state,
    url: url ?? null,
    valid_until: validUntil ?? null,
    ...(progress && { entries_done: progress.done, entries_total: progress.total }),
  }
}
