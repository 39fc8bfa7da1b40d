import type { Command } from 'commander'
import { companyOfFolder, setGrants } from '../../../shared/library/folders/grants.ts'
import { namesOf } from '../../../shared/library/folders/paths.ts'
import { timestamp } from '../../../shared/library/time.ts'
import type { FolderRecord, Right } from '../../../shared/library/tree/folder.ts'
import type { Tree } from '../../../shared/library/tree/tree.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import type { CompanyId, FolderId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, type CommandLibrary, noun, type Result, verb } from '../command.ts'
import { needCompany, needUser, requireMember } from '../lookups.ts'
import { textTable } from '../text-table.ts'
import { companyId, flags, folderId, name } from '../values.ts'

interface Grant {
  folder: FolderId
  username: string
  flags: Right[]
}

/** `folder list`, `folder grant`, `folder revoke` */
export function folderCommands(program: Command, console: Console): void {
  const folder = noun(program, 'folder', 'folders, and what single users may do in one and everything below it')

  verb(folder, 'list', 'list all folders of a company, by their path', ['folder list --company 42'])
    .requiredOption('--company <id>', 'the company', companyId)
    .action(
      act<{ company: CompanyId }>(console, async (library, { company }) => {
        await needCompany(library, company)
        const tree = await loadTree(library, company)
        const folders = [...tree.all()].map((record) => ({ record, path: pathOf(tree, record) }))
        folders.sort((a, b) => a.path.localeCompare(b.path, 'en') || a.record.folderId - b.record.folderId)
        const json = folders.map(({ record }) => folderJson(record))
        const rows = folders.map(({ record, path }) => [record.folderId, path, kindOf(record), timestamp(record.created)])
        return { json, text: textTable(['ID', 'PATH', 'KIND', 'CREATED (UTC)'], rows) }
      }),
    )

  const grant = verb(folder, 'grant', 'give a user rights on a folder, on top of those granted there before', [
    'folder grant --folder 7 --username anna --flags READ,WRITE',
  ])
  options(grant).action(act<Grant>(console, (library, given) => change(library, given, (granted) => [...granted, ...given.flags])))

  const revoke = verb(folder, 'revoke', 'take back rights that were granted on this very folder', [
    'folder revoke --folder 7 --username anna --flags WRITE',
  ])
  options(revoke).action(
    act<Grant>(console, (library, given) => change(library, given, (granted) => granted.filter((right) => !given.flags.includes(right)))),
  )
}

const pathOf = (tree: Tree, { folderId }: FolderRecord): string => namesOf(tree, folderId).join(' / ')

function kindOf({ system, owner }: FolderRecord): string {
  return system === 'trash' ? `trash of user ${owner}` : (system ?? '')
}

function folderJson({ folderId, name, parent, system, owner, created }: FolderRecord) {
  return { folder_id: folderId, name, parent, system: system ?? null, owner: owner ?? null, created: timestamp(created) }
}

function options(command: Command): Command {
  return command
    .requiredOption('--folder <id>', 'the folder', folderId)
    .requiredOption('--username <name>', 'the user', name)
    .requiredOption('--flags <list>', 'one or more of READ, WRITE, ADMIN, UPLOAD', flags)
}

async function change(
  library: CommandLibrary,
  { folder: folderId, username }: Grant,
  next: (granted: readonly Right[]) => readonly Right[],
): Promise<Result> {
  const user = await needUser(library, username)
  requireMember(user, await companyOfFolder(library, folderId))
  const folder = await setGrants(library, folderId, user.userId, next)
  const granted = folder.grants[user.userId] ?? []
  return {
    json: { folder_id: folderId, user_id: user.userId, flags: granted },
    text: `${username} (${user.userId}) has ${granted.join(', ') || 'no rights'} of their own on folder ${folderId}, ${folder.name}.`,
  }
}
