import type { Command } from 'commander'
import { Bulk } from '../bulk.ts'
import { type Surroundings, signedIn } from '../command.ts'
import { mediaIdsOf, withTarget } from '../folders.ts'

export function cpCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('cp')
    .description('put files into another folder, too; they stay where they are')
    .usage('[options] <ID...> <FOLDER>')
    .argument('<ID...>', 'ids of files; then the folder')
    .action(
      signedIn(surroundings, async (session, args) => {
        const [what, folder] = await withTarget(session.library, args)
        const bulk = new Bulk(session)
        await bulk.change(mediaIdsOf(what), { folders: { add: folder } })
        bulk.report()
      }),
    )
}
