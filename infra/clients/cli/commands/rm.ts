import type { Command } from 'commander'
import { Bulk } from '../bulk.ts'
import { type Surroundings, signedIn } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { findFolder } from '../folders.ts'
import { findNamed } from '../named.ts'

export function rmCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('rm')
    .description('move files and folders to the trash, where they stay for 30 days')
    .argument('<WHAT...>', 'ids of files, ids or paths of folders')
    .option('--from <FOLDER>', 'the folder that files leave, where they are in several')
    .action(
      signedIn<{ from?: string }>(surroundings, async (session, args, { from }) => {
        const { library } = session
        const left = from === undefined ? undefined : (await findFolder(library, from)).id
        const { files, folders } = await findNamed(library, args, left)
        const bulk = new Bulk(session)
        // Files in the trash are refused: they would be gone for good.
        for (const [folder, ids] of files) await bulk.change(ids, { folders: { trash: { from: folder } } })
        for (const { id, name } of folders) {
          const { trashed_at } = await library.get('/folder/{id}', { params: { path: { id } } })
          if (trashed_at) throw new Failure(exitCodes.error, `${name} is in the trash already.`)
          await library.post('/folder/{id}/move_to_trash', { params: { path: { id } } })
          bulk.changedOne()
        }
        bulk.report()
      }),
    )
}
