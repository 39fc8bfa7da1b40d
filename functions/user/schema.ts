import * as z from 'zod'
import { AnswerCompanyId, AnswerTime, AnswerUserId } from '../../shared/http/declaration/fields.ts'
import type { VisibleFolder } from '../../shared/library/access/access.ts'
import type { KnownUser } from '../../shared/library/access/people.ts'
import { timestamp } from '../../shared/library/time.ts'
import { FullName } from '../company/schema.ts'
import { ListedFolder, listedFolderJson } from '../folder/schema.ts'

export const User = z
  .object({
    id: AnswerUserId,
    fullname: FullName,
    username: z.string().meta({ examples: ['anna@example.com'] }),
    company_id: AnswerCompanyId.describe('their own company; of others, the first of `companies`'),
    companies: z.array(AnswerCompanyId).describe('all companies of the user that the caller belongs to as well'),
    created: AnswerTime,
  })
  .meta({ id: 'User' })

export function userJson({ user, companyIds }: KnownUser): z.input<typeof User> {
  const { userId, fullname, username, created } = user
  return { id: userId, fullname, username, company_id: companyIds[0]!, companies: companyIds, created: timestamp(created) }
}

const idDigits = (example: string) => z.string().meta({ pattern: '^[1-9][0-9]*$', examples: [example] })

/** A folder in the list of a user's folders: ids of folder and company are strings, the id of the parent is a number. */
export const UserFolder = ListedFolder.extend({ id: idDigits('1843027'), company_id: idDigits('4207') }).meta({ id: 'UserFolder' })

export function userFolderJson(folder: VisibleFolder): z.input<typeof UserFolder> {
  const { folderId, companyId } = folder.record
  return { ...listedFolderJson(folder), id: String(folderId), company_id: String(companyId) }
}
