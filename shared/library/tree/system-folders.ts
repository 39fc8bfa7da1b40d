import type { Key, Operation } from '../../backends/table/port.ts'
import type { CompanyId, FolderId, UserId } from '../../vocabulary/ids.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Reading, Writing } from '../library.ts'
import { claimId, type FolderRecord, newFolder } from './folder.ts'
import type { Tree } from './tree.ts'
import { changeTree, loadTree } from './tree-store.ts'

/** Finds or creates the company's public media gallery. */
export async function ensurePublicGallery(library: Writing, companyId: CompanyId): Promise<FolderRecord> {
  return ensure(library, companyId, { name: 'Public gallery', system: 'public' })
}

/** Finds or creates the user's trashcan in a company. */
export async function ensureTrashcan(library: Writing, companyId: CompanyId, userId: UserId): Promise<FolderRecord> {
  return ensure(library, companyId, { name: 'Trashcan', system: 'trash', owner: userId })
}

type SystemFolderInput = Required<Pick<FolderRecord, 'name' | 'system'>> & Pick<FolderRecord, 'owner'>

async function ensure(library: Writing, companyId: CompanyId, input: SystemFolderInput): Promise<FolderRecord> {
  const known = find(await loadTree(library, companyId), input)
  if (known) return known
  const tree = await withFreshId((folderId: FolderId) =>
    changeTree(library, companyId, (current) => {
      if (find(current, input)) return undefined
      const folder = newFolder(folderId, { companyId, parent: null, created: library.clock.now(), ...input })
      return { put: [folder], also: { claim: claimId(companyId, folderId) } }
    }),
  )
  return find(tree, input)!
}

function find(tree: Tree, { system, owner }: SystemFolderInput): FolderRecord | undefined {
  return tree.all().find((folder) => folder.system === system && folder.owner === owner)
}

/** Most aliases of one company. */
export const MAX_ALIASES = 100

/** Valid labels of DNS. */
const PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** First segments of the other paths on the links' host. */
const RESERVED: readonly string[] = ['streams', 'player']
/** As these, but needed later: one that is there stays. */
const RESERVED_LATER: readonly string[] = ['iiif']

/** Claim of an alias across all companies, with its folder. */
export type AliasClaim = Key & {
  alias: string
  companyId: CompanyId
  folderId: FolderId
  /** Time when the folder became an ordinary one again, in UNIX milliseconds. Its links are being ended. */
  removing?: number
}
export const aliasKey = (alias: string): Key => ({ pk: `ALIAS#${alias}`, sk: 'ALIAS' })

/** The problem with an alias, as the end of a sentence; undefined for a valid one. */
export function aliasProblem(alias: string): string | undefined {
  if (!PATTERN.test(alias)) return 'must be 1 to 63 small letters (a to z), digits and hyphens, with no hyphen at either end'
  return RESERVED.includes(alias) ? isNeeded(alias) : undefined
}

/** The problem with an alias that isn't there yet. */
export function newAliasProblem(alias: string): string | undefined {
  return aliasProblem(alias) ?? (RESERVED_LATER.includes(alias) ? isNeeded(alias) : undefined)
}

const isNeeded = (alias: string): string => `must not be ${alias}: the service needs that address itself`

export async function findAlias({ table }: Reading, alias: string): Promise<AliasClaim | undefined> {
  return table.get<AliasClaim>(aliasKey(alias))
}

/** Claims an alias for a folder. Fails if it is taken. */
export const claimAlias = (alias: string, { companyId, folderId }: Pick<FolderRecord, 'companyId' | 'folderId'>): Operation => ({
  put: { ...aliasKey(alias), alias, companyId, folderId } satisfies AliasClaim,
  if: { pk: { exists: false } },
})

/** A CDN folder, whose own files are published under its alias. */
export type CdnFolder = FolderRecord & { system: 'cdn'; alias: string }

/** Whether a folder publishes its files. */
export function isCdnFolder(folder: FolderRecord): folder is CdnFolder {
  return folder.system === 'cdn' && folder.alias !== undefined
}

/** The CDN folders of a company, by alias. */
export function cdnFolders(tree: Tree): CdnFolder[] {
  const found = Iterator.from(tree.layout.folders).filter(isCdnFolder).toArray()
  return found.sort((a, b) => (a.alias < b.alias ? -1 : 1))
}
