import * as z from 'zod'
import { Comment, FolderIdJson, MediaIdJson } from '../../shared/http/declaration/fields.ts'
import { Invalid } from '../../shared/library/errors.ts'
import type { FolderId, MediaId } from '../../shared/vocabulary/ids.ts'

/** Where an upload goes, as sent: into a folder, or in the place of what a file is now. */
export const destination = {
  folder: FolderIdJson.optional().describe('needed without `replaces`, ignored with it'),
  replaces: MediaIdJson.optional().describe('the file that becomes what is sent'),
  comment: Comment.optional().describe('with `replaces`: what is said of this version'),
  if_version: z
    .number()
    .int()
    .min(1)
    .optional()
    .meta({ description: 'with `replaces`: the version that the file must have when the upload ends', examples: [4] }),
}

/** Whether an upload goes somewhere, and what is wrong otherwise. */
export const goesSomewhere = ({ folder, replaces }: { folder?: unknown; replaces?: unknown }) =>
  folder !== undefined || replaces !== undefined
export const GOES_NOWHERE = { path: ['folder'], message: 'is missing' }

/** The folder of an upload. */
export function folderOf({ folder, replaces }: { folder?: FolderId | undefined; replaces?: MediaId | undefined }): FolderId {
  if (folder === undefined || replaces !== undefined) throw new Invalid({ path: 'replaces', message: 'is not possible yet' })
  return folder
}

/** Of bodies that begin uploads by share links. */
export const notReplacing = {
  replaces: z.never('is for people with an account').optional().describe('refused: nobody replaces a file by a share link'),
}
