import * as z from 'zod'
import { AnswerCompanyId, AnswerKeyId, AnswerUserId } from '../../shared/http/fields.ts'

/** A user's full name. */
export const FullName = z.string().meta({ examples: ['Anna Berg'] })

/** A user in the list of a company's users. */
export const CompanyUser = z
  .object({
    id: AnswerUserId,
    fullname: FullName,
    href: z.string().meta({ format: 'uri', description: 'address of the user', examples: ['https://library.example.com/user/70311'] }),
  })
  .meta({ id: 'CompanyUser' })

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
  .object({ bytes: count.meta({ description: 'bytes of originals', examples: [73400320] }), files: count.meta({ examples: [12] }) })
  .meta({ id: 'DiskUsage' })
