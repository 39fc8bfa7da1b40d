import type { Command } from 'commander'
import type { Right } from '../../shared/library/access/rights.ts'
import { companyOfFolder, setGrants } from '../../shared/library/folders/grants.ts'
import { act, type Console, noun, type Result, verb } from './command.ts'
import type { OpenLibrary } from './library.ts'
import { needUser, requireMember } from './lookups.ts'
import { flags, id, name } from './values.ts'

interface Grant {
  folder: number
  username: string
  flags: Right[]
}

/** `folder grant`, `folder revoke` */
export function folderCommands(program: Command, console: Console): void {
  const folder = noun(program, 'folder', 'what single users may do in a folder and everything below it')

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

function options(command: Command): Command {
  return command
    .requiredOption('--folder <id>', 'the folder', id)
    .requiredOption('--username <name>', 'the user', name)
    .requiredOption('--flags <list>', 'one or more of READ, WRITE, ADMIN, UPLOAD', flags)
}

async function change(
  { table, clock }: OpenLibrary,
  { folder: folderId, username }: Grant,
  next: (granted: readonly Right[]) => readonly Right[],
): Promise<Result> {
  const user = await needUser(table, username)
  requireMember(user, await companyOfFolder(table, folderId))
  const folder = await setGrants({ table, clock }, { folderId, userId: user.userId }, next)
  const granted = folder.grants[user.userId] ?? []
  return {
    json: { folder_id: folderId, user_id: user.userId, flags: granted },
    text: `${username} (${user.userId}) has ${granted.join(', ') || 'no rights'} of their own on folder ${folderId}, ${folder.name}.`,
  }
}
