import * as z from 'zod'
import { type CompanyId, type FolderId, toFolderId, type UserId } from '../../vocabulary/ids.ts'
import type { CompanyRecord } from '../accounts/companies.ts'
import { setShare } from '../cliques/shares.ts'
import { LibraryError, NotFound } from '../errors.ts'
import { namesOf } from '../folders/paths.ts'
import type { Reading, Writing } from '../library.ts'
import { addAlias, listAliases, setPresetsOnly } from '../links/aliases.ts'
import { type FolderRecord, type Right, rights } from '../tree/folder.ts'
import { ensurePublicGallery } from '../tree/system-folders.ts'
import type { Tree } from '../tree/tree.ts'
import { changeFolders } from '../tree/tree-store.ts'
import type { Folders } from './folders.ts'
import { cliqueRecords, Id, type KnownPeople, People, peopleOf, takePeople } from './people.ts'

const Names = z.array(z.string().trim().min(1).max(255)).min(1).max(200)
const Flags = z.array(z.enum(rights))

/** `rights.json` of an export: users and groups, and folders with their grants, parents first. */
export const RightsFile = z.object({
  company: z.object({ id: Id, name: z.string() }),
  ...People.shape,
  folders: z.array(
    z.object({
      id: Id,
      /** Null at the root. The export may lack the parent. */
      parent: Id.nullable(),
      path: Names,
      /** UNIX milliseconds */
      created: z.number().int().nonnegative(),
      /** The public gallery. A company has only one. */
      gallery: z.literal(true).optional(),
      tags: z.array(z.string()),
      /** First path segment of the links of its files. */
      alias: z.string().optional(),
      /** Whether those show transformed pictures by presets alone. */
      presets_only: z.literal(true).optional(),
      grants: z.array(z.object({ user_id: Id, flags: Flags })),
      /** Rights of groups. */
      cliques: z.array(z.object({ id: Id, flags: Flags })),
    }),
  ),
})
export type RightsFile = z.infer<typeof RightsFile>

export async function rightsOf(
  library: Reading,
  { companyId, name }: CompanyRecord,
  tree: Tree,
  folders: readonly FolderRecord[],
): Promise<RightsFile> {
  const people = await peopleOf(library, companyId)
  const isUser = new Set(people.users.map(({ id }) => id))
  const records = await cliqueRecords(library, people.cliques)
  return {
    company: { id: companyId, name },
    ...people,
    folders: folders.map(({ folderId, parent, created, system, tags, alias, presetsOnly, grants }) => ({
      ...{ id: folderId, parent, path: namesOf(tree, folderId), created, tags },
      ...(system === 'public' && { gallery: true as const }),
      ...(alias !== undefined && { alias }),
      ...(presetsOnly && { presets_only: presetsOnly }),
      grants: Object.entries(grants)
        .map(([userId, flags]) => ({ user_id: Number(userId), flags }))
        .filter(({ user_id: userId }) => isUser.has(userId)),
      cliques: records.flatMap(({ cliqueId, shares }) => {
        const flags = shares[folderId]
        return flags ? [{ id: cliqueId, flags }] : []
      }),
    })),
  }
}

/** What an import created of the folders and people of an export. */
export interface AppliedRights {
  /** Folders by their ids in the export, with their paths there. */
  folders: ReadonlyMap<number, { folder: FolderRecord; path: readonly string[] }>
  /** Users by their ids in the export. */
  users: KnownPeople['users']
  /** Sentences about what was left out. */
  warnings: string[]
}

/**
 * Creates the folders of an export, with their tags, aliases, and rights of users and groups.
 * @param how.base names of the folder that contains all of them
 * @param how.keepIds also creates missing users and groups, and keeps ids that are free
 */
export async function applyRights(
  library: Writing,
  companyId: CompanyId,
  file: RightsFile,
  { folders, base, keepIds }: { folders: Folders; base: readonly string[]; keepIds: boolean },
): Promise<AppliedRights> {
  const warnings: string[] = []
  const people = await takePeople(library, companyId, file, { createMissing: keepIds, warn: (sentence) => void warnings.push(sentence) })
  const made = new Map<number, { folder: FolderRecord; path: readonly string[] }>()
  const parentOf = async ({ parent, path }: ExportedFolder): Promise<FolderId | null> => {
    const known = parent === null ? undefined : made.get(parent)
    if (known) return known.folder.folderId
    const above = [...base, ...path.slice(0, -1)]
    return above.length > 0 ? (await folders.at(above)).folderId : null
  }
  for (const exported of file.folders) {
    const { id, path, created, gallery, alias } = exported
    const isGallery = gallery === true && base.length === 0
    const how = { created, ...(keepIds && { folderId: toFolderId(id) }) }
    const found = isGallery
      ? await ensurePublicGallery(library, companyId)
      : await folders.place(path.at(-1)!, await parentOf(exported), how)
    const name = path.join('/')
    if (keepIds && found.folderId !== id) warnings.push(`${name}, folder ${id} of the export, is folder ${found.folderId} here.`)
    const granted = await grant(library, companyId, found.folderId, exported, people.users)
    const folder =
      alias === undefined ? granted : await publish(library, granted, { ...exported, alias }, (why) => warnings.push(`${name} ${why}`))
    made.set(id, { folder, path })
    for (const { id: group, flags } of exported.cliques) {
      const cliqueId = people.cliques.get(group)
      if (cliqueId !== undefined)
        await setShare(library, cliqueId, folder.folderId, (shared) =>
          rights.filter((right) => shared.includes(right) || flags.includes(right)),
        )
    }
  }
  return { folders: made, users: people.users, warnings }
}

type ExportedFolder = RightsFile['folders'][number]

/** Adds an exported folder's grants and tags to a folder. */
async function grant(
  library: Writing,
  companyId: CompanyId,
  folderId: FolderId,
  { tags, grants }: ExportedFolder,
  users: ReadonlyMap<number, UserId>,
): Promise<FolderRecord> {
  const tree = await changeFolders(library, companyId, [folderId], (current) => {
    const folder = current.get(folderId)
    if (!folder) throw new NotFound('folder')
    const granted: Record<string, Right[]> = { ...folder.grants }
    for (const { user_id: given, flags } of grants) {
      const userId = users.get(given)
      if (userId !== undefined) granted[userId] = rights.filter((right) => flags.includes(right) || granted[userId]?.includes(right))
    }
    return { put: [{ ...folder, grants: granted, tags: [...new Set([...folder.tags, ...tags])] }] }
  })
  return tree.get(folderId)!
}

/** Publishes a folder under an alias. @param warn called with the rest of a sentence about the folder if it can't be published */
async function publish(
  library: Writing,
  folder: FolderRecord,
  { alias, presets_only: presetsOnly = false }: { alias: string; presets_only?: boolean | undefined },
  warn: (why: string) => void,
): Promise<FolderRecord> {
  const { companyId, folderId } = folder
  const known = (await listAliases(library, companyId)).find((each) => each.alias === alias && each.folderId === folderId)
  try {
    const published = known ?? (await addAlias(library, companyId, alias, { folderId }))
    return presetsOnly && !published.presetsOnly ? await setPresetsOnly(library, companyId, alias, true) : published
  } catch (error) {
    if (!(error instanceof LibraryError)) throw error
    warn(`is not published as ${alias}: ${error.message}`)
    return folder
  }
}
