import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { setGrants } from '../../../../shared/library/folders/grants.ts'
import { addAlias } from '../../../../shared/library/links/aliases.ts'
import { cdnFolder } from '../../../../shared/library/links/find-links.ts'
import { replaceLinked } from '../../../../shared/library/links/replace-linked.ts'
import type { Right } from '../../../../shared/library/tree/folder.ts'
import { toCompanyId } from '../../../../shared/vocabulary/ids.ts'
import {
  actingIn,
  type Choice,
  cdnFolderIn,
  choice,
  fileFor,
  grantedRights,
  linkedFor,
  type Pair,
  type Step,
  weighing,
  worker,
} from './choices.ts'

const publishing = fc.oneof({ weight: 2, arbitrary: fc.constant<Right[]>(['READ', 'WRITE']) }, { weight: 1, arbitrary: grantedRights })

/** The operator gives the first company an alias. */
export const cdnFolderCreation: Step = {
  name: 'add alias',
  carryOut: async (pair: Pair) => (await addAlias(pair, pair.companies[0]!, `alias-${randomUUID()}`, { name: 'CDN folder' })).folderId,
  rule: ({ model, companies }: Pair, made?: number) =>
    model.addFolder(made!, { companyId: companies[0]!, parent: null, system: 'cdn', grants: new Map() }),
}

/** Grants rights on a CDN folder. */
export const publishers = ({ to, folder, rights }: { to: number; folder: Choice; rights: Right[] }): Step => ({
  name: 'grant on a CDN folder',
  carryOut: (pair: Pair) => setGrants(pair, cdnFolderIn(pair, folder), pair.users[to]!, () => rights),
  rule: (pair: Pair) => pair.model.grant(pair.users[to]!, cdnFolderIn(pair, folder), rights),
})

/** What happens to links besides what their files' pointers mean for them, and how often. */
export const linkSteps = [
  weighing(2, fc.record({ to: worker, folder: choice, rights: publishing }).map(publishers)),
  weighing(
    4,
    fc.record({ by: worker, folder: choice, old: choice, fresh: choice }).map(({ by, folder, old, fresh }) => {
      const chosen = (pair: Pair) => {
        const folderId = cdnFolderIn(pair, folder)
        return [folderId, linkedFor(pair, folderId, old), fileFor(pair, by, fresh)] as const
      }
      return {
        name: 'replace link',
        async carryOut(pair: Pair) {
          const [folderId, ...files] = chosen(pair)
          const acting = await actingIn(pair, by)
          const companyId = toCompanyId(pair.model.folders.get(folderId)?.companyId ?? pair.companies[0]!)
          await replaceLinked(acting, await cdnFolder(acting, companyId, folderId), ...files)
        },
        rule: (pair: Pair) => pair.model.replaceLink(pair.users[by]!, ...chosen(pair)),
      }
    }),
  ),
]
