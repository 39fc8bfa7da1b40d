import * as z from 'zod'
import { AnswerCliqueId, AnswerFolderId, AnswerUserId } from '../../shared/http/declaration/fields.ts'
import type { Permitted } from '../../shared/library/access/explain.ts'
import { type Flag, flags } from '../../shared/library/access/flags.ts'
import { type RightSet, rights, rightsOf } from '../../shared/library/tree/folder.ts'

/** The people who may use a folder or a file, their rights, and why. */
export const AccessList = z
  .object({
    users: z.array(
      z
        .object({
          user_id: AnswerUserId,
          username: z.string().meta({ examples: ['anna@example.com'] }),
          fullname: z.string().meta({ examples: ['Anna Berg'] }),
          flags: z.array(z.enum(flags)).describe('as the folder lists of this user show them'),
          by: z
            .array(
              z.object({
                flags: z.array(z.enum(rights)),
                how: z
                  .enum(['grant', 'clique', 'admin'])
                  .describe("a grant on a folder, also of one's own trashcan; a share with a clique; being admin of the company"),
                folder_id: AnswerFolderId.nullable().describe('the folder that gives it, here or further up; null for `admin`'),
                clique_id: AnswerCliqueId.optional(),
              }),
            )
            .describe('what gives these rights, the nearest first'),
        })
        .meta({ id: 'UserAccess' }),
    ),
  })
  .meta({ id: 'AccessList' })

/** The rights that a folder itself grants to a user. */
export const FolderGrant = z
  .object({ folder_id: AnswerFolderId, user_id: AnswerUserId, flags: z.array(z.enum(rights)) })
  .meta({ id: 'FolderGrant' })

/** @param flagsOf what a set of rights is shown as */
export function accessJson(permitted: readonly Permitted[], flagsOf: (rights: RightSet) => Flag[] = rightsOf): z.input<typeof AccessList> {
  return {
    users: permitted.map(({ user: { userId, username, fullname }, rights: held, sources }) => ({
      ...{ user_id: userId, username, fullname, flags: flagsOf(held) },
      by: sources.map((source) => ({
        flags: rightsOf(source.rights),
        how: source.how,
        folder_id: source.how === 'admin' ? null : source.folderId,
        ...(source.how === 'clique' && { clique_id: source.cliqueId }),
      })),
    })),
  }
}
