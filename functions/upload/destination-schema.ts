import * as z from 'zod'
import { Comment, FolderIdJson, IfVersion, MediaIdJson } from '../../shared/http/declaration/fields.ts'
import type { Destination } from '../../shared/library/uploads/destination.ts'

/** Where an upload goes, as sent: into a folder, or in the place of what a file is now. */
export const destination = {
  folder: FolderIdJson.nullish().describe('needed without `replaces`, ignored with it'),
  replaces: MediaIdJson.optional().describe('the file that becomes what is sent'),
  comment: Comment.optional().describe('with `replaces`: what is said of this version'),
  if_version: IfVersion.optional().describe('with `replaces`: the version that the file must have when the upload ends'),
}

/** Whether an upload goes somewhere, and what is wrong otherwise. */
export const goesSomewhere = ({ folder, replaces }: { folder?: unknown; replaces?: unknown }) => (folder ?? replaces) !== undefined
export const GOES_NOWHERE = { path: ['folder'], message: 'is missing' }

type Sent = { [Name in keyof typeof destination]?: z.output<(typeof destination)[Name]> }

/** Where an upload goes. The file that it replaces counts before a folder. */
export function destinationOf({ folder, replaces, comment, if_version: ifVersion }: Sent): Destination {
  if (replaces === undefined) return { folderId: folder! }
  return { replaces, ...(comment && { comment }), ...(ifVersion !== undefined && { ifVersion }) }
}

/** Of bodies that begin uploads by share links. */
export const notReplacing = {
  replaces: z.never('is for people with an account').optional().describe('refused: nobody replaces a file by a share link'),
}
