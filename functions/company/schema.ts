import * as z from 'zod'
import { AnswerId } from '../../shared/http/fields.ts'

/** The name that people know a user by. */
export const FullName = z.string().meta({ examples: ['Anna Berg'] })

/** A user as the list of a company's users shows them. */
export const CompanyUser = z
  .object({
    id: AnswerId,
    fullname: FullName,
    href: z.string().meta({ format: 'uri', description: 'address of the user', examples: ['https://library.example.com/user/1843027'] }),
  })
  .meta({ id: 'CompanyUser' })

export const ApiKey = z
  .object({
    id: AnswerId,
    key: z.string().meta({ examples: ['company2key'] }),
    secret: z.string().meta({ examples: ['company2secret'] }),
    companyId: AnswerId,
  })
  .meta({ id: 'ApiKey' })

const count = z.number().int().meta({ minimum: 0 })

/** Originals of available files; what lies in trashcans counts until it is removed. */
export const DiskUsage = z
  .object({ bytes: count.meta({ description: 'bytes of originals', examples: [73400320] }), files: count.meta({ examples: [12] }) })
  .meta({ id: 'DiskUsage' })
