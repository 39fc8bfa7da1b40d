import fc from 'fast-check'
import { expireTrash } from '../../../../functions/jobs/expire-trash.ts'
import { setStock } from '../../../../shared/library/accounts/companies.ts'
import { setMembership } from '../../../../shared/library/accounts/users.ts'
import { joinCompany } from '../../../../shared/library/people/join-company.ts'
import { openCatalogue } from '../../../../shared/library/stock/catalogue.ts'
import type { Right } from '../../../../shared/library/tree/folder.ts'
import { ensureTrashcan } from '../../../../shared/library/tree/system-folders.ts'
import { TRASH_DAYS } from '../../../../shared/library/tree/trash.ts'
import { CATALOGUE } from '../../../../shared/vocabulary/ids.ts'
import { runDueJobs } from '../../../support/due-jobs.ts'
import { runRemovals } from '../../../support/removals.ts'
import { company, other, type Pair, type Step, weighing } from './choices.ts'
import { cliqueCreation, cliqueSteps, joining, sharing } from './clique-steps.ts'
import { copying, fileSteps, itemCreation, upload } from './file-steps.ts'
import { creation, folderSteps } from './folder-steps.ts'
import { cdnFolderCreation, linkSteps, publishers } from './link-steps.ts'

/** The operator opens the stock catalogue, so that there is a folder to put items into. */
const catalogueOpening: Step = {
  name: 'open the catalogue',
  carryOut: async (pair: Pair) => (await openCatalogue(pair)).folderId,
  rule: ({ model }: Pair, made?: number) => model.addFolder(made!, { companyId: CATALOGUE, parent: null, grants: new Map() }),
}

const stockRight = ({ company: at, allowed }: { company: number; allowed: boolean }): Step => ({
  name: 'let a company use the stock library, or no longer',
  carryOut: (pair: Pair) => setStock(pair, pair.companies[at]!, allowed),
  rule({ model, companies }: Pair) {
    if (allowed) model.withStock.add(companies[at]!)
    else model.withStock.delete(companies[at]!)
  },
})

const otherSteps = [
  weighing(2, fc.record({ company, allowed: fc.boolean() }).map(stockRight)),
  weighing(
    2,
    fc.record({ user: other, company, admin: fc.boolean() }).map(({ user, company: at, admin }) => ({
      name: 'join company, or change whether admin',
      async carryOut(pair: Pair) {
        const { users, companies } = pair
        const [userId, companyId] = [users[user]!, companies[at]!]
        await joinCompany(pair, userId, companyId)
        await setMembership(pair, userId, { companyId, admin })
        return (await ensureTrashcan(pair, companyId, userId)).folderId
      },
      rule: ({ model, users, companies }: Pair, trashcan?: number) => model.join(users[user]!, companies[at]!, admin, trashcan!),
    })),
  ),
  weighing(2, fc.constant({ name: 'jobs run', carryOut: runRemovals, rule: ({ model }: Pair) => model.forgetShares() })),
  weighing(
    1,
    fc.constant({
      name: 'trash expires',
      async carryOut(pair: Pair) {
        pair.clock.advance((TRASH_DAYS + 1) * 86_400)
        await runDueJobs(pair, expireTrash)
      },
      rule: ({ model }: Pair) => model.expireTrash(),
    }),
  ),
]

/** How the life of each library begins, so that there is something to do from then on. */
export const opening: readonly Step[] = [
  ...[0, 0, 1, 2].map((by) => creation({ by, parent: null, company: 0 })),
  ...[0, 1, 2, 3, 4].map((at) => creation({ by: 0, parent: { at, among: 'usable' }, company: 0 })),
  creation({ by: 3, parent: null, company: 1 }),
  creation({ by: 5, parent: null, company: 2 }),
  cdnFolderCreation,
  cdnFolderCreation,
  ...[0, 1, 3, 7].map((at) => upload({ at, among: 'usable' })),
  ...[0, 0, 1].map((at) => cliqueCreation({ by: at === 0 ? 0 : 3, company: at })),
  ...[1, 2].flatMap((member) => [0, 1].map((at) => joining({ by: 0, clique: { at, among: 'usable' }, member }))),
  ...[0, 1].flatMap((at) =>
    [1 - at, at + 4].map((folder) => {
      const rights: Right[] = at === 0 ? ['READ'] : ['WRITE']
      return sharing({ by: 0, clique: { at, among: 'usable' }, folder: { at: folder, among: 'usable' }, again: false, rights })
    }),
  ),
  // Of what they may read alone, to a folder of their own.
  ...[1, 2].map((by) => copying({ by, file: { at: 1, among: 'all' }, to: { at: { at: by + 1, among: 'usable' }, kind: 'writable' } })),
  ...[0, 1].map((at) => copying({ by: 0, file: { at, among: 'all' }, to: { at: { at, among: 'all' }, kind: 'cdn' } })),
  ...[1, 2].flatMap((to) => [0, 1].map((at) => publishers({ to, folder: { at, among: 'usable' }, rights: ['READ', 'WRITE'] }))),
  catalogueOpening,
  itemCreation,
  stockRight({ company: 0, allowed: true }),
]

/** What a random life of the library is made of. */
export const anyStep: fc.Arbitrary<Step> = fc
  .oneof(...folderSteps, ...fileSteps, ...linkSteps, ...cliqueSteps, ...otherSteps)
  .map((step) => ({ ...step, [fc.toStringMethod]: () => step.name }))
