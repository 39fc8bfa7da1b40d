import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Access } from '../../../shared/library/access/access.ts'
import type { Caller } from '../../../shared/library/access/caller.ts'
import { type Right, rightsOf } from '../../../shared/library/access/rights.ts'
import { type CliqueRecord, cliqueKey } from '../../../shared/library/access/shares.ts'
import type { UserRecord } from '../../../shared/library/accounts/users.ts'
import { type FolderRecord, folderKey } from '../../../shared/library/folders/folder.ts'
import { changeTree } from '../../../shared/library/folders/tree-store.ts'
import { openTestTable } from '../../support/library.ts'

/** A little world: folders whose parents have lower ids, grants, cliques, trashcans and deletions; one user looks at it. */
interface World {
  folders: { parent: number; grants: Right[]; kind: 'plain' | 'own trash' | "another's trash"; deleted: boolean }[]
  cliques: { member: boolean; shares: { folder: number; rights: Right[] }[] }[]
  admin: boolean
  media: number[]
}

const ME = 7
const rightsArbitrary = fc.uniqueArray(fc.constantFrom<Right>('READ', 'WRITE', 'ADMIN', 'UPLOAD'), { maxLength: 3 })
const worlds: fc.Arbitrary<World> = fc.record({
  folders: fc.array(
    fc.record({
      parent: fc.nat(20),
      grants: fc.oneof({ weight: 2, arbitrary: fc.constant<Right[]>([]) }, rightsArbitrary),
      kind: fc.oneof(
        { weight: 8, arbitrary: fc.constant('plain' as const) },
        { weight: 1, arbitrary: fc.constantFrom('own trash' as const, "another's trash" as const) },
      ),
      deleted: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
    { minLength: 1, maxLength: 20 },
  ),
  cliques: fc.array(
    fc.record({
      member: fc.boolean(),
      shares: fc.array(fc.record({ folder: fc.nat(19), rights: rightsArbitrary }), { maxLength: 4 }),
    }),
    { maxLength: 4 },
  ),
  admin: fc.boolean(),
  media: fc.array(fc.nat(19), { maxLength: 4 }),
})

/** Parent of folder number `n` (0-based), or undefined for a root folder. Trashcans are roots. */
function parentOf(world: World, n: number): number | undefined {
  const folder = world.folders[n]!
  return folder.kind === 'plain' && n > 0 && folder.parent < n ? folder.parent : undefined
}

/** Decision 13, word for word and without regard to speed. */
function oracle(world: World, n: number): Set<Right> {
  const chain: number[] = []
  for (let at: number | undefined = n; at !== undefined; at = parentOf(world, at)) chain.push(at)
  if (chain.some((at) => world.folders[at]!.deleted)) return new Set()
  if (chain.some((at) => world.folders[at]!.kind === "another's trash")) return new Set()
  if (chain.some((at) => world.folders[at]!.kind === 'own trash')) return new Set(['READ', 'WRITE', 'ADMIN'])
  const rights = new Set<Right>(world.admin ? ['READ', 'WRITE', 'ADMIN'] : [])
  for (const at of chain) {
    for (const right of world.folders[at]!.grants) rights.add(right)
    for (const clique of world.cliques) {
      if (!clique.member) continue
      for (const share of clique.shares) if (share.folder === at) for (const right of share.rights) rights.add(right)
    }
  }
  return rights
}

test('effective rights are those of a brute-force reading of the rules', async (t) => {
  const { table, clock } = openTestTable(t)
  let companyId = 0
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      companyId++
      const idOf = (n: number) => companyId * 1000 + n + 1
      const folders = world.folders.map(({ grants, kind, deleted }, n): FolderRecord => {
        const parent = parentOf(world, n)
        return {
          ...folderKey(companyId, idOf(n)),
          folderId: idOf(n),
          companyId,
          name: `folder ${n}`,
          parent: parent === undefined ? null : idOf(parent),
          created: n,
          grants: { [ME]: grants },
          tags: [],
          cover: null,
          ...(kind === 'plain' ? {} : { system: 'trash' as const, owner: kind === 'own trash' ? ME : ME + 1 }),
          ...(deleted ? { deleted: 1 } : {}),
        }
      })
      await changeTree(table, clock, companyId, () => ({ put: folders }))
      const cliqueIds = world.cliques.map((_, n) => companyId * 1000 + 500 + n)
      for (const [n, { shares }] of world.cliques.entries()) {
        const byFolder: CliqueRecord['shares'] = {}
        for (const { folder, rights } of shares) byFolder[idOf(folder)] = [...(byFolder[idOf(folder)] ?? []), ...rights]
        const cliqueId = cliqueIds[n]!
        await table.put({
          ...cliqueKey(cliqueId),
          cliqueId,
          companyId,
          name: 'clique',
          thumbnail: null,
          shares: byFolder,
        } satisfies CliqueRecord)
      }
      const user = {
        userId: ME,
        companies: [{ companyId, admin: world.admin }],
        cliques: cliqueIds.filter((_, n) => world.cliques[n]!.member),
      } as unknown as UserRecord
      const caller: Caller = { kind: 'user', user, keyId: 1 }

      const expected = world.folders.map((_, n) => oracle(world, n))
      const visible = new Map(
        (await new Access(table, caller).visibleFolders(companyId)).map(({ record, rights }) => [
          record.folderId,
          new Set(rightsOf(rights)),
        ]),
      )
      for (const [n, rights] of expected.entries()) {
        assert.deepEqual(visible.get(idOf(n)) ?? new Set(), rights, `folder ${n} in the list`)
        const single: Set<Right> = await new Access(table, caller).folder(idOf(n)).then(
          ({ rights: found }) => new Set(rightsOf(found)),
          () => new Set<Right>(),
        )
        assert.deepEqual(single, rights, `folder ${n} by itself`)
      }
      const union = new Set(world.media.flatMap((n) => [...(expected[n] ?? [])]))
      const mediaRights = await new Access(table, caller).mediaRights({ companyId, folders: world.media.map(idOf) })
      assert.deepEqual(new Set(rightsOf(mediaRights)), union, 'a file has the rights of all its folders')
    }),
    { numRuns: 150 },
  )
})
