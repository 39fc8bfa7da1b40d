import * as z from 'zod'
import { findUserByName, isMemberOf } from '../../../shared/library/accounts/users.ts'
import { cliquesOfCompany } from '../../../shared/library/cliques/cliques.ts'
import { setShare } from '../../../shared/library/cliques/shares.ts'
import { LibraryError } from '../../../shared/library/errors.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import type { Writing } from '../../../shared/library/library.ts'
import { addAlias, listAliases } from '../../../shared/library/publishing/aliases.ts'
import { type FolderRecord, rights } from '../../../shared/library/tree/folder.ts'
import { type CliqueId, type CompanyId, type FolderId, MAX_ID, toFolderId } from '../../../shared/vocabulary/ids.ts'

/** Names of the files of an export. */
export const EXPORT_FILES = {
  payload: 'data',
  manifest: 'manifest.csv',
  rights: 'rights.json',
  links: 'links.csv',
  unfinished: 'export.unfinished',
} as const

const Id = z.number().int().positive().max(MAX_ID)
const Names = z.array(z.string().trim().min(1).max(255)).min(1).max(200)
const Flags = z.array(z.enum(rights))

/** `rights.json` of an export: folders, parents first, with what they grant; and further folders of files that are in several. */
export const RightsFile = z.object({
  company: z.object({ id: Id, name: z.string() }),
  folders: z.array(
    z.object({
      id: Id,
      path: Names,
      tags: z.array(z.string()),
      /** First part of the addresses of the links of its files. */
      alias: z.string().optional(),
      grants: z.array(z.object({ username: z.string(), flags: Flags })),
      /** What groups have. */
      cliques: z.array(z.object({ name: z.string(), flags: Flags })),
    }),
  ),
  also_in: z.array(z.object({ media_id: Id, folder_ids: z.array(Id) })),
})
export type RightsFile = z.infer<typeof RightsFile>

/** What an import has made of the folders of an export. */
export interface AppliedRights {
  /** Folders that hold a file besides its own, by its id in the export. */
  also: ReadonlyMap<string, readonly FolderRecord[]>
  /** What could not be taken over. */
  warnings: string[]
}

/**
 * Makes the folders of an export, with their tags, aliases and what they give users and groups of the company with the same names.
 * @param folderAt the folder of a path, made where it is missing, under that id where it is given
 */
export async function applyRights(
  library: Writing,
  companyId: CompanyId,
  { folders, also_in }: RightsFile,
  folderAt: (names: readonly string[], how: { folderId?: FolderId; tags: string[] }) => Promise<FolderRecord>,
  keepIds: boolean,
): Promise<AppliedRights> {
  const warnings: string[] = []
  const made = new Map<number, FolderRecord>()
  const groups = await groupsByName(library, companyId)
  for (const { id, path, tags, alias, grants, cliques } of folders) {
    const folder = await folderAt(path, { tags, ...(keepIds && { folderId: toFolderId(id) }) })
    made.set(id, folder)
    const name = path.join('/')
    if (
      alias !== undefined &&
      !(await listAliases(library, companyId)).some((known) => known.alias === alias && known.folderId === folder.folderId)
    )
      await addAlias(library, companyId, alias, { folderId: folder.folderId }).catch((error) => {
        if (!(error instanceof LibraryError)) throw error
        warnings.push(`${name} is not published as ${alias}: ${error.message}`)
      })
    for (const { username, flags } of grants) {
      const user = await findUserByName(library, username)
      if (user && isMemberOf(user, companyId)) await setGrants(library, folder.folderId, user.userId, (granted) => [...granted, ...flags])
      else warnings.push(`${name} grants nothing to ${username}, who is no user of this company.`)
    }
    for (const { name: clique, flags } of cliques) {
      const [only, ...others] = groups.get(clique) ?? []
      if (only !== undefined && others.length === 0)
        await setShare(library, only, folder.folderId, (shared) =>
          rights.filter((right) => shared.includes(right) || flags.includes(right)),
        )
      else
        warnings.push(
          `${name} is not shared with the group ${clique}: this company has ${only === undefined ? 'none' : 'several'} of that name.`,
        )
    }
  }
  const foldersOf = (ids: readonly number[]) => ids.flatMap((id) => made.get(id) ?? [])
  return { also: new Map(also_in.map(({ media_id, folder_ids }) => [String(media_id), foldersOf(folder_ids)])), warnings }
}

async function groupsByName(library: Writing, companyId: CompanyId): Promise<ReadonlyMap<string, CliqueId[]>> {
  const groups = await Array.fromAsync(cliquesOfCompany(library, companyId))
  const names = Map.groupBy(groups, ({ name }) => name)
  return new Map([...names].map(([name, same]) => [name, same.map(({ cliqueId }) => cliqueId)]))
}
