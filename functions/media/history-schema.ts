import * as z from 'zod'
import { AnswerFileNumber, AnswerIsoTime, AnswerKeyId, AnswerUserId } from '../../shared/http/declaration/fields.ts'
import { madeOfFields } from '../../shared/vocabulary/editable-fields.ts'
import { shown } from './schema.ts'

const version = (description: string) =>
  z
    .number()
    .int()
    .meta({ minimum: 1, description, examples: [7] })

/** Values of the fields that a step changed, by the interface's names. */
const Values = z
  .object({
    file_number: AnswerFileNumber,
    ...madeOfFields('metadata', shown),
    ...madeOfFields('document', shown),
  })
  .partial()
  .meta({ id: 'HistoryValues', examples: [{ byline: 'Anna Berg' }] })

const HistoryEntry = z
  .object({
    version: version('that the step made'),
    at: AnswerIsoTime,
    actor: z
      .object({ user_id: AnswerUserId.optional(), key_id: AnswerKeyId.optional() })
      .describe('who did it: a user, or an application. Empty where the service or its operator did, or somebody by a share link'),
    kind: z.enum(['metadata', 'file']).describe('`file` where another file became the current one'),
    changed: z
      .array(z.string())
      .meta({ description: 'names of the changed fields, as in a bulk change; `file` of a file', examples: [['byline']] }),
    before: Values.describe('their values before; without READ on the file it is empty'),
    after: Values.describe('their values after; without READ on the file it is empty'),
    file_number: AnswerFileNumber.optional().describe('of a file entry: the number that became the current one'),
  })
  .meta({ id: 'HistoryEntry' })

export const HistoryPage = z
  .object({
    entries: z.array(HistoryEntry).describe('newest first'),
    cursor: z
      .string()
      .nullable()
      .meta({ description: 'where to go on; null at the end', examples: ['7'] }),
    more: z.boolean(),
  })
  .meta({ id: 'HistoryPage' })

export const Reverted = z.object({ version: version('of the file now') }).meta({ id: 'Reverted', examples: [{ version: 7 }] })
