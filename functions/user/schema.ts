import * as z from 'zod'
import { AnswerId, IdText } from '../../shared/http/fields.ts'
import type { VisibleFolder } from '../../shared/library/access/access.ts'
import type { KnownUser } from '../../shared/library/access/people.ts'
import { timestamp } from '../../shared/library/time.ts'
import { ListedFolder, listedFolderJson } from '../folder/schema.ts'

export const UserParams = z.object({ id: IdText })

export const User = z
  .object({
    id: AnswerId,
    fullname: z.string(),
    username: z.string(),
    company_id: AnswerId.describe('their own company; of others, the first of `companies`'),
    companies: z.array(AnswerId).describe('all companies of the user that the caller belongs to as well'),
    created: z.string().describe('UTC, YYYY-MM-DD HH:MM:SS'),
  })
  .meta({ id: 'User' })

export function userJson({ user, companyIds }: KnownUser): z.input<typeof User> {
  const { userId, fullname, username, created } = user
  return { id: userId, fullname, username, company_id: companyIds[0]!, companies: companyIds, created: timestamp(created) }
}

/** A folder as the list of a user's folders shows it: ids of folder and company are strings, that of the parent is a number. */
export const UserFolder = ListedFolder.extend({ id: z.string(), company_id: z.string() }).meta({ id: 'UserFolder' })

export function userFolderJson(folder: VisibleFolder): z.input<typeof UserFolder> {
  const { folderId, companyId } = folder.record
  return { ...listedFolderJson(folder), id: String(folderId), company_id: String(companyId) }
}
