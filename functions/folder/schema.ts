import * as z from 'zod'
import { AnswerId, AnswerTime, CompanyIdJson, FolderIdJson, Name } from '../../shared/http/fields.ts'
import type { VisibleFolder } from '../../shared/library/access/access.ts'
import { flags, flagsOf } from '../../shared/library/access/flags.ts'
import { MAX_TAGS } from '../../shared/library/folders/tags.ts'
import { timestamp } from '../../shared/library/time.ts'
import type { FolderRecord } from '../../shared/library/tree/folder.ts'

/** A folder in answers about one folder. */
export const Folder = z
  .object({
    id: AnswerId,
    name: z.string().meta({ examples: ['Harbour'] }),
    parent: AnswerId.nullable().describe('the folder that it is in; null for a root folder'),
    company_id: AnswerId,
    created: AnswerTime,
  })
  .meta({ id: 'Folder' })

/** A folder in lists. */
export const ListedFolder = Folder.extend({
  permissions: z.object({ groups: z.array(z.enum(flags)) }).describe("the caller's flags"),
  cover_photo_id: AnswerId.nullable().describe('media id'),
}).meta({ id: 'ListedFolder' })

/** A folder's own tags. */
export const FolderTags = z.array(z.string().meta({ examples: ['harbour'] })).meta({ id: 'FolderTags' })

export const FolderTagsInput = z
  .array(Name)
  .max(MAX_TAGS)
  .meta({ id: 'FolderTagsInput', examples: [['harbour', 'summer']] })

/** Body of a change: absent fields are kept. */
export const FolderInput = z
  .object({ name: Name.optional(), parent: FolderIdJson.nullable().optional(), company_id: CompanyIdJson.nullish() })
  .meta({ id: 'FolderInput', examples: [{ name: 'Harbour' }] })

/** JSON of records, the same for every caller. Lists hold thousands, and records in memory never change. */
const shown = new WeakMap<FolderRecord, z.input<typeof Folder>>()

export function folderJson(record: FolderRecord): z.input<typeof Folder> {
  const known = shown.get(record)
  if (known) return known
  const { folderId, name, parent, companyId, created } = record
  const json = { id: folderId, name, parent, company_id: companyId, created: timestamp(created) }
  shown.set(record, json)
  return json
}

export function listedFolderJson(folder: VisibleFolder): z.input<typeof ListedFolder> {
  return { ...folderJson(folder.record), permissions: { groups: flagsOf(folder) }, cover_photo_id: folder.record.cover }
}
