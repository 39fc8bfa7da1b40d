import type { Command } from 'commander'
import { Bulk } from '../bulk.ts'
import { type Surroundings, signedIn } from '../command.ts'
import { findFolder, withTarget } from '../folders.ts'
import { findNamed } from '../named.ts'

export function mvCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('mv')
    .description('move files and folders')
    .usage('[options] <WHAT...> <FOLDER>')
    .argument('<WHAT...>', 'ids of files, ids or paths of folders; then the folder that they go to')
    .option('--from <FOLDER>', 'the folder that files leave, where they are in several')
    .action(
      signedIn<{ from?: string }>(surroundings, async (session, args, { from }) => {
        const { library } = session
        const [what, to] = await withTarget(library, args)
        const left = from === undefined ? undefined : (await findFolder(library, from)).id
        const { files, folders } = await findNamed(library, what, left)
        const bulk = new Bulk(session)
        for (const [folder, ids] of files) await bulk.change(ids, { folders: { move: { from: folder, to } } })
        for (const { id } of folders) {
          await library.post('/folder/{id}', { params: { path: { id } }, body: { parent: to } })
          bulk.changedOne()
        }
        bulk.report()
      }),
    )
}
