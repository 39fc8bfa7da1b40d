import * as z from 'zod'
import {
  AnswerCompanyId,
  AnswerFolderId,
  AnswerIsoTime,
  AnswerMediaId,
  AnswerTime,
  CompanyIdJson,
  FolderIdJson,
  Name,
} from '../../shared/http/declaration/fields.ts'
import type { VisibleFolder } from '../../shared/library/access/access.ts'
import { flags, flagsOf } from '../../shared/library/access/flags.ts'
import { MAX_TAGS } from '../../shared/library/folders/tags.ts'
import { isoTime, timestamp } from '../../shared/library/time.ts'
import { trashedFolder } from '../../shared/library/trash/trashed.ts'
import type { FolderRecord } from '../../shared/library/tree/folder.ts'

/** A folder in answers about one folder. */
export const Folder = z
  .object({
    id: AnswerFolderId,
    name: z.string().meta({ examples: ['Harbour'] }),
    parent: AnswerFolderId.nullable().describe('the folder that it is in; null for a root folder'),
    company_id: AnswerCompanyId,
    created: AnswerTime,
    trashed_at: AnswerIsoTime.optional().describe('of a folder in a trashcan: since when'),
    trashed_from: AnswerFolderId.nullable()
      .optional()
      .describe('of a folder in a trashcan: the folder that it was in; null at the root, and where it is not known'),
  })
  .meta({ id: 'Folder' })

/** A folder in lists. */
export const ListedFolder = Folder.extend({
  permissions: z.object({ groups: z.array(z.enum(flags)) }).describe("the caller's flags"),
  cover_photo_id: AnswerMediaId.nullable().describe('media id'),
  has_children: z.boolean().optional().describe('of a list by `parent`: whether folders lie in it'),
  file_count: z
    .number()
    .int()
    .nullable()
    .optional()
    .meta({
      minimum: 0,
      description:
        'of a list by `parent`: how many files are directly in it; null where the caller may not READ it, and while the search index is being built',
      examples: [12],
    }),
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

export function folderJson(folder: FolderRecord): z.input<typeof Folder> {
  const { folderId, name, parent, companyId, created } = folder
  const trashed = trashedFolder(folder)
  return {
    ...{ id: folderId, name, parent, company_id: companyId, created: timestamp(created) },
    ...(trashed && { trashed_at: isoTime(trashed.at), trashed_from: trashed.from }),
  }
}

export function listedFolderJson(folder: VisibleFolder): z.input<typeof ListedFolder> {
  return { ...folderJson(folder.record), permissions: { groups: flagsOf(folder) }, cover_photo_id: folder.record.cover }
}
