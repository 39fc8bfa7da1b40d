import type { Command } from 'commander'
import { type Session, type Surroundings, signedIn } from '../command.ts'
import { childrenOf, type Folder, findFolder } from '../folders.ts'

export function treeCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('tree')
    .description('show the folders below a folder, or all')
    .argument('[FOLDER]', 'id or path')
    .action(
      signedIn(surroundings, async (session, [given]) => {
        const top = given === undefined ? undefined : (await findFolder(session.library, given)).id
        const folders = await show(session, await childrenOf(session.library, top), [])
        session.output.summary({ folders })
      }),
    )
}

/** @param path names of the folders above @returns how many folders were shown */
async function show({ library, output, ...session }: Session, folders: readonly Folder[], path: readonly string[]): Promise<number> {
  let shown = 0
  for (const { id, name, has_children, file_count } of folders) {
    const here = [...path, name]
    const files = file_count ? ` (${file_count})` : ''
    output.line({ id, name, path: here.join('/'), depth: path.length, file_count }, `${'  '.repeat(path.length)}${name}/${files}`)
    shown++
    if (has_children) shown += await show({ library, output, ...session }, await childrenOf(library, id), here)
  }
  return shown
}
