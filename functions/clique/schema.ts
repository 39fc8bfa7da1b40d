import * as z from 'zod'
import { AnswerId } from '../../shared/http/fields.ts'
import type { ListedClique } from '../../shared/library/cliques/clique.ts'
import type { MembershipRecord } from '../../shared/library/cliques/members.ts'
import type { Share } from '../../shared/library/cliques/shares.ts'
import { rights } from '../../shared/library/tree/rights.ts'

export const Clique = z
  .object({
    id: AnswerId,
    name: z.string().meta({ examples: ['Photographers'] }),
    svc_id: AnswerId.describe('the company that the clique belongs to'),
    thumbnail_id: AnswerId.nullable().describe('media id of its picture, as it was set: the file may be gone since'),
  })
  .meta({ id: 'Clique' })

/** A user in a clique. */
export const CliqueMember = z.object({ id: AnswerId, user_id: AnswerId, clique_id: AnswerId }).meta({ id: 'CliqueMember' })

/** A folder that is shared with a clique. */
export const CliqueFolder = z
  .object({ folder_id: AnswerId, clique_id: AnswerId, permissions: z.array(z.enum(rights)) })
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
