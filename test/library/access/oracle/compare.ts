import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Table } from '../../../../shared/backends/table/port.ts'
import { Access } from '../../../../shared/library/access/access.ts'
import type { Caller, Opened } from '../../../../shared/library/access/caller.ts'
import { type Permitted, permittedOnFolder, permittedOnMedia } from '../../../../shared/library/access/explain.ts'
import type { KeyRecord } from '../../../../shared/library/accounts/api-keys.ts'
import { findUser } from '../../../../shared/library/accounts/users.ts'
import { membersOf } from '../../../../shared/library/cliques/members.ts'
import { listShares } from '../../../../shared/library/cliques/shares.ts'
import { LibraryError } from '../../../../shared/library/errors.ts'
import { mediaKey, type StoredMedia } from '../../../../shared/library/media/keys.ts'
import { getLinks } from '../../../../shared/library/media/link.ts'
import { searchScope } from '../../../../shared/library/search/scope.ts'
import { contentsOf, type Right, type RightSet, rightsOf } from '../../../../shared/library/tree/folder.ts'
import { loadTree } from '../../../../shared/library/tree/tree-store.ts'
import {
  CATALOGUE,
  type CompanyId,
  type LinkId,
  type MediaId,
  toCliqueId,
  toCompanyId,
  toFolderId,
  toMediaId,
  type UserId,
} from '../../../../shared/vocabulary/ids.ts'
import { countingTable, newCount } from '../../../support/counting-table.ts'
import { callerOf, openTestTable } from '../../../support/library.ts'
import type { Pair } from './choices.ts'
import { emptyLibraries, happens } from './lives.ts'
import type { LibraryModel } from './model.ts'
import { anyStep, opening } from './steps.ts'

/** Lets random lives of libraries happen, after each step of which everybody may do what the rules say, and nothing else. */
export async function everybodyMayDoWhatRulesSay(lives: { numRuns: number; seed?: number }): Promise<void> {
  const library = openTestTable()
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
      const pair = await emptyLibraries(library)
      const history: string[] = []
      for (const step of [...opening, ...steps]) {
        try {
          history.push(`${step.name}: ${await happens(step, pair)}`)
          await compare(pair)
        } catch (cause) {
          throw new Error([...history, step.name].join('\n'), { cause })
        }
      }
      await compareExplained(pair)
      await compareShared(pair)
    }),
    lives,
  )
}

/** Asks the library everything that it can be asked, for everybody. */
async function compare(pair: Pair): Promise<void> {
  const { table, model, users, companies } = pair
  // As processes ask that have read no tree: one that knows some folders since earlier steps, and one that knows none.
  const [fresh, lasting] = [countingTable(table, newCount()), lastingOf(table)]
  const files = await Promise.all(
    [...model.known.files].map(async (id) => ({ id, record: await table.get<StoredMedia>(mediaKey(toMediaId(id))) })),
  )
  for (const userId of users) {
    const access = new Access(table, callerOf((await findUser({ table }, userId))!))
    await compareFolders(access, companies, model, (id) => model.rights(userId, id))
    for (const other of [fresh, lasting]) await compareSingle(new Access(other, access.caller), model, (id) => model.rights(userId, id))
    for (const { id, record } of files) {
      const expected = model.fileRights(userId, id)
      for (const asked of [access, new Access(fresh, access.caller), new Access(lasting, access.caller)]) {
        assert.deepEqual(asSet(record && (await asked.mediaRights(record))), expected)
      }
      const holding = record ? [await access.visibleAmong(record), await access.writableAmong(record)] : [[], []]
      const among = (fits: (rights: Set<Right>) => boolean) => model.foldersOf(id).filter((folder) => fits(model.rights(userId, folder)))
      const expectedHolding = [among(({ size }) => size > 0), among((rights) => rights.has('WRITE'))]
      assert.deepEqual(
        holding.map(idsOf),
        expectedHolding.map((ids) => ids.sort(byNumber)),
      )
      const companyId = model.files.get(id)?.companyId
      const outsideOthersTrash = model.foldersOf(id).some((folder) => !model.isTrashed(folder) || model.rights(userId, folder).size > 0)
      const isContained = companyId !== undefined && access.isMember(toCompanyId(companyId)) && outsideOthersTrash
      assert.equal(record ? await access.isContained(record) : false, isContained)
    }
  }
  await compareLinks(
    pair,
    files.flatMap(({ record }) => record ?? []),
  )
  await compareCliques(pair)
  const application: Caller = { kind: 'application', key: { companyId: companies[0] } as KeyRecord }
  const reads = (id: number): Set<Right> => {
    const isTheirs = model.folders.get(id)?.companyId === companies[0]
    return new Set(isTheirs && !model.isTrashed(id) ? ['READ'] : [])
  }
  await compareFolders(new Access(table, application), companies, model, reads)
}

/** Who has rights on each folder and file, and why: told to those who may know it, and to nobody else. */
async function compareExplained({ table, model, users }: Pair): Promise<void> {
  for (const userId of users) {
    const access = new Access(table, callerOf((await findUser({ table }, userId))!))
    for (const id of model.known.folders) {
      const own = model.rights(userId, id)
      const answer = permittedOnFolder({ table, access }, toFolderId(id)).then(({ permitted }) => permitted)
      if (own.has('ADMIN')) explains(await answer, users, (other) => model.rights(other, id))
      else assert.equal(await answer.catch(nameOf), own.size > 0 ? 'Forbidden' : 'NotFound')
    }
    for (const id of model.known.files) {
      const record = await table.get<StoredMedia>(mediaKey(toMediaId(id)))
      // Nobody may WRITE items of the stock catalogue, so nobody asks.
      if (record && record.companyId !== CATALOGUE)
        explains(await permittedOnMedia({ table, access }, record), users, (other) => model.fileRights(other, id))
    }
  }
}

/** What share links show that anybody may have made of any folder, and of any file: what their makers may READ, and nothing else. */
async function compareShared({ table, model, users, companies }: Pair): Promise<void> {
  const files = await Promise.all([...model.known.files].map(async (id) => table.get<StoredMedia>(mediaKey(toMediaId(id)))))
  const owned = files.flatMap((record) => (record && record.companyId !== CATALOGUE ? record : []))
  for (const userId of users) {
    const user = (await findUser({ table }, userId))!
    const open = (opened: Pick<Opened, 'folderId' | 'mediaIds' | 'companyId'>) =>
      new Access(table, {
        ...callerOf(user),
        opened: { shareId: 'share', secretHash: 'hash', takesUploads: false, givesPreviews: false, ...opened },
      })
    for (const [shared, { companyId }] of model.folders) {
      if (!companies.includes(toCompanyId(companyId))) continue
      const access = open({ companyId: toCompanyId(companyId), folderId: toFolderId(shared) })
      const expected = (id: number): Set<Right> =>
        new Set(model.folders.has(id) && model.isFolderShared(userId, shared, id) ? ['READ'] : [])
      await compareFolders(access, companies, model, expected)
      for (const media of owned)
        assert.equal(await access.hasOnMedia('READ', media), model.isFileShared(userId, shared, media.mediaId), 'a file of a shared folder')
    }
    for (const media of owned) {
      const access = open({ companyId: media.companyId, mediaIds: new Set([media.mediaId]) })
      for (const other of owned) {
        const expected = other === media && model.isFileShared(userId, 'itself', media.mediaId)
        assert.deepEqual(asSet(await access.mediaRights(other)), new Set(expected ? ['READ'] : []))
        assert.equal((await access.visibleAmong(other)).length > 0, expected)
      }
      for (const id of model.known.folders) await assert.rejects(access.folder(toFolderId(id)), LibraryError)
    }
  }
}

function explains(permitted: readonly Permitted[], users: readonly UserId[], expected: (userId: UserId) => Set<Right>): void {
  const told = new Map(permitted.map(({ user, rights }) => [user.userId, asSet(rights)]))
  assert.deepEqual(told, new Map(users.map((id) => [id, expected(id)] as const).filter(([, rights]) => rights.size > 0)))
  for (const { rights, sources } of permitted) {
    assert.equal(
      sources.reduce((all, source) => all | source.rights, 0),
      rights,
    )
    assert.ok(sources.every((source) => source.rights > 0))
  }
}

const nameOf = (error: unknown) => (error as Error).name

/** Files have links in the CDN folders that hold them, but for those that give READ alone; links of all other pointers that there were have ended. */
async function compareLinks(pair: Pair, files: readonly StoredMedia[]): Promise<void> {
  const { model } = pair
  const shown = new Map<LinkId, MediaId>()
  for (const { mediaId, companyId, links = [] } of files) {
    const tree = await loadTree(pair, companyId)
    const linked = idsOf(tree.foldersOfContents(links.map(({ contents }) => contents)))
    assert.deepEqual([...new Set(linked)], model.files.has(mediaId) ? model.linkedIn(mediaId).sort(byNumber) : [])
    for (const { id } of links) {
      shown.set(id, mediaId)
      pair.links.add(id)
    }
  }
  const records = await getLinks(pair, [...pair.links])
  assert.deepEqual(
    records.map(({ mediaId }) => mediaId),
    records.map(({ linkId }) => shown.get(linkId) ?? null),
  )
}

/** What lists of members and folders show, to whoever manages the clique. */
async function compareCliques({ table, model, users }: Pair): Promise<void> {
  for (const [id, { companyId, members, shares }] of model.cliques) {
    assert.deepEqual(new Set((await Array.fromAsync(membersOf({ table }, toCliqueId(id)))).map(({ userId }) => userId)), members)
    const admin = users.find((userId) => model.users.get(userId)!.companies.get(companyId))
    if (admin === undefined) continue
    const access = new Access(table, callerOf((await findUser({ table }, admin))!))
    const listed = (await listShares({ table, access }, toCliqueId(id))).map(({ folderId, rights }) => [folderId, rights] as const)
    const shown = [...shares].filter(([folderId]) => model.folders.has(folderId) && !model.isTrashed(folderId))
    assert.deepEqual(new Map(listed), new Map(shown))
  }
}

async function compareFolders(
  access: Access,
  companies: readonly CompanyId[],
  model: LibraryModel,
  expected: (folderId: number) => Set<Right>,
): Promise<void> {
  const listed = new Map<number, Set<Right>>()
  for (const companyId of companies) {
    for (const { record, rights } of await access.visibleFolders(companyId)) listed.set(record.folderId, asSet(rights))
  }
  const visible = [...model.known.folders].map((id) => [id, expected(id)] as const).filter(([, rights]) => rights.size > 0)
  assert.deepEqual(listed, new Map(visible))
  await compareSingle(access, model, expected)
  for (const companyId of companies.filter((id) => access.isMember(id))) await compareSearched(access, companyId, model, expected)
}

async function compareSingle(access: Access, model: LibraryModel, expected: (folderId: number) => Set<Right>): Promise<void> {
  for (const id of model.known.folders) {
    const single = await access.folder(toFolderId(id)).then(({ rights }) => rights, notFound)
    assert.deepEqual(asSet(single), expected(id))
  }
}

const lastingTables = new WeakMap<Table, Table>()

/** The table as another process has it open all the time. */
function lastingOf(table: Table): Table {
  const lasting = lastingTables.get(table) ?? countingTable(table, newCount())
  lastingTables.set(table, lasting)
  return lasting
}

/** A search looks into all folders that may be read, but for trashcans that aren't named. */
async function compareSearched(
  access: Access,
  companyId: CompanyId,
  model: LibraryModel,
  expected: (folderId: number) => Set<Right>,
): Promise<void> {
  const { scope, tree } = await searchScope({ access }, companyId, { recursive: false })
  const covers = (contents: number) => ('only' in scope ? scope.only.includes(contents) : !scope.except.includes(contents))
  const searched = tree.everyStored().filter((folder) => covers(contentsOf(folder)))
  const readable = [...model.folders.keys()].filter((id) => tree.get(toFolderId(id)) && expected(id).has('READ') && !model.isTrashed(id))
  assert.deepEqual(idsOf(searched), readable.sort(byNumber))
}

function notFound(error: unknown): undefined {
  if (!(error instanceof LibraryError && error.name === 'NotFound')) throw error
}

const asSet = (rights: RightSet | undefined) => new Set(rightsOf(rights ?? 0))
const byNumber = (a: number, b: number) => a - b
const idsOf = (folders: readonly { folderId: number }[]) => folders.map(({ folderId }) => folderId).sort(byNumber)
