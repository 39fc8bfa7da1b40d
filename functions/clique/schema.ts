import * as z from 'zod'
import {
  AnswerCliqueId,
  AnswerCompanyId,
  AnswerFolderId,
  AnswerMediaId,
  AnswerMembershipId,
  AnswerUserId,
} from '../../shared/http/declaration/fields.ts'
import type { ListedClique } from '../../shared/library/cliques/clique.ts'
import type { MembershipRecord } from '../../shared/library/cliques/members.ts'
import type { Share } from '../../shared/library/cliques/shares.ts'
import { rights } from '../../shared/library/tree/folder.ts'

export const Clique = z
  .object({
    id: AnswerCliqueId,
    name: z.string().meta({ examples: ['Photographers'] }),
    svc_id: AnswerCompanyId.describe('the company that the clique belongs to'),
    thumbnail_id: AnswerMediaId.nullable().describe('media id of its picture, as it was set: the file may be gone since'),
  })
  .meta({ id: 'Clique' })

/** A user in a clique. */
export const CliqueMember = z
  .object({ id: AnswerMembershipId, user_id: AnswerUserId, clique_id: AnswerCliqueId })
  .meta({ id: 'CliqueMember' })

/** A folder that is shared with a clique. */
export const CliqueFolder = z
  .object({ folder_id: AnswerFolderId, clique_id: AnswerCliqueId, permissions: z.array(z.enum(rights)) })
  .meta({ id: 'CliqueFolder' })

export function cliqueJson({ cliqueId, name, companyId, thumbnail }: ListedClique): z.input<typeof Clique> {
  return { id: cliqueId, name, svc_id: companyId, thumbnail_id: thumbnail }
}

export function memberJson({ membershipId, userId, cliqueId }: MembershipRecord): z.input<typeof CliqueMember> {
  return { id: membershipId, user_id: userId, clique_id: cliqueId }
}

export function shareJson({ folderId, cliqueId, rights: permissions }: Share): z.input<typeof CliqueFolder> {
  return { folder_id: folderId, clique_id: cliqueId, permissions: [...permissions] }
}
