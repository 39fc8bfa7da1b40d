import * as z from 'zod'
import { AnswerId, IdText } from '../../shared/http/fields.ts'

export const CompanyParams = z.object({ id: IdText })

/** A user as the list of a company's users shows them. */
export const CompanyUser = z
  .object({ id: AnswerId, fullname: z.string(), href: z.string().describe('address of the user') })
  .meta({ id: 'CompanyUser' })

export const ApiKey = z.object({ id: AnswerId, key: z.string(), secret: z.string(), companyId: AnswerId }).meta({ id: 'ApiKey' })

/** Originals of available files; what lies in trashcans counts until it is removed. */
export const DiskUsage = z
  .object({ bytes: z.number().int().describe('bytes of originals'), files: z.number().int() })
  .meta({ id: 'DiskUsage' })
