import type { Command } from 'commander'
import { type Surroundings, signedIn } from '../command.ts'
import { findFolder } from '../folders.ts'
import { sizeText } from '../output.ts'
import { wholeNumber } from '../values.ts'

const SHOWN = ['filename', 'title', 'media_type', 'width', 'height', 'file_disksize', 'created', 'keywords'] as const

interface Options {
  in?: string
  type?: string[]
  order?: string
  limit?: number
}

export function searchCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('search')
    .description('find files')
    .argument('[TERMS...]', 'all must match; a term after -- may begin with - and excludes')
    .option('--in <FOLDER>', 'in this folder and those below it')
    .option('--type <kind...>', 'image, vector, video, generic')
    .option('--order <order>', 'relevance, created, camera_created, filename, size, byline, kind, expiration_date, folder')
    .option('--limit <number>', 'files to show', wholeNumber)
    .action(
      signedIn<Options>(surroundings, async ({ library, output }, terms, { in: within, type, order, limit = Infinity }) => {
        const folder = within === undefined ? undefined : await findFolder(library, within)
        const query = {
          ...(terms.length > 0 ? { q: terms.join(' ') } : { all: true }),
          ...(folder && { folder_ids: [folder.id], recursive: true }),
          ...(type && { media_type: type }),
          ...(order && { order }),
          return_values: SHOWN,
        }
        let found = 0
        for await (const file of library.searchAll(query as never)) {
          if (found >= limit) break
          found++
          const { unique_media_id: id, filename = '', title, file_disksize: bytes = 0 } = file
          output.line(
            { id, ...file },
            `${String(id).padStart(10)}  ${sizeText(bytes).padStart(9)}  ${filename}${title ? `  ${title}` : ''}`,
          )
        }
        output.summary({ found })
      }),
    )
}
