import { ConditionFailed, type Operation, type Operations } from '../../backends/table/port.ts'
import type { CompanyId, ContentsId, FolderId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Reading, Writing } from '../library.ts'
import { mediaIn, relinkMedia } from '../media/pointers.ts'
import { PRESETS_CHANGED, type PresetsChange, presetsChange, presetsRecord } from '../presets/preset.ts'
import { claimId, contentsOf, type FolderRecord, newFolder } from '../tree/folder.ts'
import {
  type AliasClaim,
  aliasKey,
  aliasProblem,
  type CdnFolder,
  cdnFolders,
  claimAlias,
  findAlias,
  isCdnFolder,
  MAX_ALIASES,
  newAliasProblem,
} from '../tree/system-folders.ts'
import { type Tree, trashOwner } from '../tree/tree.ts'
import { changeTree, loadTree } from '../tree/tree-store.ts'
import { aliasTag } from './public-keys.ts'

/** Files that are linked at a time. */
const PARALLELISM = 8

/** The folder that an alias is to stand for: one that there is, or a new one. */
export type WantedFolder = { folderId: FolderId } | { name: string }

/**
 * Gives a company an alias: a folder becomes a CDN folder, and the files directly in it get links. Idempotent: a repetition for the same folder
 * continues an interrupted one; without `folderId` the alias keeps its folder. A request that read the folder before may still put a file there
 * without a link: the check finds it, and a repetition links it.
 * @throws Invalid for an alias that can't be used, Conflict for one that is taken or when there are too many, NotFound and Forbidden for the folder
 */
export async function addAlias(library: Writing, companyId: CompanyId, alias: string, wanted: WantedFolder): Promise<CdnFolder> {
  const message = aliasProblem(alias) ?? ((await findAlias(library, alias)) ? undefined : newAliasProblem(alias))
  if (message) throw new Invalid({ path: 'alias', message })
  const folder = await retryOnConflict(() => claimed(library, companyId, alias, wanted), aliasWasChanged)
  await relinkFiles(library, contentsOf(folder))
  return folder
}

/**
 * Takes an alias from a company: its folder becomes an ordinary one and keeps its files, whose links end. The alias is freed last, so that a
 * repetition continues an interrupted removal.
 * @returns the folder that it stood for
 * @throws NotFound
 */
export async function removeAlias(library: Writing, companyId: CompanyId, alias: string): Promise<FolderId> {
  const { folderId } = await retryOnConflict(() => released(library, companyId, alias), aliasWasChanged)
  const folder = (await loadTree(library, companyId)).get(folderId)
  // Links of a folder that was deleted or purged meanwhile end with its contents.
  if (folder) await relinkFiles(library, contentsOf(folder))
  await held(library.table.delete(aliasKey(alias), { removing: { exists: true }, folderId: { equals: folderId } }))
  return folderId
}

/** The CDN folders of a company, by alias. */
export async function listAliases(library: Reading, companyId: CompanyId): Promise<CdnFolder[]> {
  return cdnFolders(await loadTree(library, companyId))
}

/** Makes or ends the links of all files directly in a folder. A file whose links are right already is only read. */
async function relinkFiles(library: Writing, contents: ContentsId): Promise<void> {
  const mediaIds = mediaIn(library, contents)
  const work = async () => {
    for await (const mediaId of mediaIds) await relinkMedia(library, mediaId, contents)
  }
  await Promise.all(Array.from({ length: PARALLELISM }, work))
}

const aliasWasChanged = (error: unknown): boolean =>
  error instanceof ConditionFailed && (error.failed('alias') || error.failed(PRESETS_CHANGED))

/** The writes that ask for the publication of what an alias's links may show. */
const publishing = async (library: Writing, companyId: CompanyId, change: PresetsChange = {}): Promise<Operations> =>
  presetsChange(library, companyId, await presetsRecord(library, companyId), change)

/**
 * Says whether the links of an alias show transformed pictures by presets alone. A repetition publishes it again.
 * @throws NotFound
 */
export async function setPresetsOnly(library: Writing, companyId: CompanyId, alias: string, presetsOnly: boolean): Promise<CdnFolder> {
  return retryOnConflict(async () => {
    // What is allowed again was refused, and refusals are kept for seconds. Earlier releases rendered without the tag.
    const stale = presetsOnly ? [aliasTag(alias), `/${alias}/`] : []
    const also = await publishing(library, companyId, { stale })
    const tree = await changeTree(library, companyId, (current) => {
      const { presetsOnly: _, ...folder } = needAlias(current, alias)
      return { put: [{ ...folder, ...(presetsOnly && { presetsOnly }) }], also }
    })
    return needAlias(tree, alias)
  }, aliasWasChanged)
}

function needAlias(tree: Tree, alias: string): CdnFolder {
  const folder = cdnFolders(tree).find((each) => each.alias === alias)
  if (!folder) throw new NotFound('alias')
  return folder
}

async function claimed(library: Writing, companyId: CompanyId, alias: string, wanted: WantedFolder): Promise<CdnFolder> {
  const claim = await findAlias(library, alias)
  if (claim) return standingFor(await loadTree(library, companyId), alias, claim, wanted)
  if ('folderId' in wanted) await become(library, companyId, alias, wanted.folderId)
  else await withFreshId((folderId: FolderId) => make(library, companyId, alias, { folderId, name: wanted.name }))
  return claimed(library, companyId, alias, wanted)
}

/** The folder of an alias that is claimed. @throws Conflict unless it is the wanted one */
function standingFor(tree: Tree, alias: string, claim: AliasClaim, wanted: WantedFolder): CdnFolder {
  if (claim.companyId !== tree.companyId) throw new Conflict(`The alias ${alias} is taken.`, 'alias_taken')
  const { folderId } = claim
  if (claim.removing !== undefined) throw new Conflict(`The alias ${alias} of folder ${folderId} is being removed.`, 'alias_being_removed')
  const folder = tree.get(folderId)
  if (!folder || !isCdnFolder(folder) || ('folderId' in wanted && wanted.folderId !== folderId)) {
    throw new Conflict(`The alias ${alias} stands for folder ${folderId} already.`, 'alias_taken')
  }
  return folder
}

async function make(
  library: Writing,
  companyId: CompanyId,
  alias: string,
  { folderId, name }: Pick<FolderRecord, 'folderId' | 'name'>,
): Promise<void> {
  const created = newFolder(folderId, { companyId, name, parent: null, created: library.clock.now() })
  const folder: CdnFolder = { ...created, system: 'cdn', alias }
  const published = await publishing(library, companyId)
  await changeTree(library, companyId, (tree) => {
    requireRoom(tree)
    return { put: [folder], also: { claim: claimId(companyId, folderId), alias: claimAlias(alias, folder), ...published } }
  })
}

async function become(library: Writing, companyId: CompanyId, alias: string, folderId: FolderId): Promise<void> {
  const published = await publishing(library, companyId)
  await changeTree(library, companyId, (current) => {
    requireRoom(current)
    const folder: CdnFolder = { ...ordinaryFolder(current, folderId), system: 'cdn', alias }
    return { put: [folder], also: { alias: claimAlias(alias, folder), ...published } }
  })
}

/** A folder that may become a CDN folder. One may lie in another: each publishes what lies directly in it. */
function ordinaryFolder(tree: Tree, folderId: FolderId): FolderRecord {
  const folder = tree.get(folderId)
  if (!folder) throw new NotFound('folder')
  if (folder.alias !== undefined) throw new Conflict(`Folder ${folderId} has the alias ${folder.alias} already.`, 'folder_has_alias')
  if (trashOwner(tree, folder) !== undefined) throw new Forbidden('A folder in a trashcan cannot have an alias.', 'folder_in_trash')
  if (folder.system) throw new Forbidden('A trashcan or public gallery cannot have an alias.', 'permanent_folder')
  return folder
}

function requireRoom(tree: Tree): void {
  if (cdnFolders(tree).length >= MAX_ALIASES) throw new Conflict(`A company has at most ${MAX_ALIASES} aliases.`, 'too_many_aliases')
}

/** Makes the folder of an alias an ordinary one. @returns the alias's claim, which stays */
async function released(library: Writing, companyId: CompanyId, alias: string): Promise<AliasClaim> {
  const claim = await findAlias(library, alias)
  if (claim?.companyId !== companyId) throw new NotFound('alias')
  if (claim.removing !== undefined) return claim
  const set = { removing: library.clock.now() }
  const removing: Operation = { update: aliasKey(alias), changes: { set }, if: { folderId: { equals: claim.folderId } } }
  const published = await publishing(library, companyId, { removed: [alias] })
  await changeTree(library, companyId, (tree) => {
    const folder = tree.get(claim.folderId)
    return { put: folder?.alias === alias ? [withoutAlias(folder)] : [], also: { alias: removing, ...published } }
  })
  return claim
}

const withoutAlias = ({ system: _, alias: __, presetsOnly: ___, ...folder }: FolderRecord): FolderRecord => folder
