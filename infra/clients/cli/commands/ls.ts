import type { Command } from 'commander'
import { type Surroundings, signedIn } from '../command.ts'
import { childrenOf, findFolder } from '../folders.ts'
import { counted, sizeText } from '../output.ts'

export function lsCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('ls')
    .description('list what is in a folder, or the topmost folders')
    .argument('[FOLDER]', 'id or path')
    .action(
      signedIn(surroundings, async ({ library, output }, [given]) => {
        const folder = given === undefined ? undefined : await findFolder(library, given)
        const folders = await childrenOf(library, folder?.id)
        for (const { id, name, has_children, file_count } of folders) {
          const files = file_count === undefined || file_count === null ? '' : counted(file_count)
          output.line({ type: 'folder', id, name, has_children, file_count }, `${String(id).padStart(10)}  ${files.padStart(9)}  ${name}/`)
        }
        let files = 0
        if (folder) {
          const query = { folder_ids: [folder.id], order: 'filename', return_values: ['filename', 'file_disksize', 'media_type'] } as const
          for await (const { unique_media_id: id, filename = '', file_disksize: bytes = 0, media_type } of library.searchAll(
            query as never,
          )) {
            files++
            output.line(
              { type: 'file', id, name: filename, bytes, media_type },
              `${String(id).padStart(10)}  ${sizeText(bytes).padStart(9)}  ${filename}`,
            )
          }
        }
        output.summary({ folders: folders.length, files })
      }),
    )
}
