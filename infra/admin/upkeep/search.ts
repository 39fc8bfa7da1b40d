import type { Command } from 'commander'
import { scanSearchChanges } from '../../../shared/library/media/search-feed.ts'
import { type Difference, repairSearchIndex, verifySearchIndex } from '../../../shared/library/search/verify-index.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { withProgress } from '../progress.ts'

/** Milliseconds after which differences are compared again. By then the index has caught up. */
const SETTLE = 20_000

/** `search rebuild`, `search verify` */
export function searchCommands(program: Command, console: Console): void {
  const search = noun(program, 'search', 'the search index of a stack whose search engine is OpenSearch')

  verb(search, 'rebuild', 'build the index from the table, and put it in the place of the old one', [
    'search rebuild --stack media-library',
  ])
    .addHelpText('after', REBUILD_HELP)
    .action(
      act(console, async ({ scanner, openSearchIndex }) => {
        const index = await openSearchIndex()
        const { files, refused } = await withProgress(
          console,
          (count: number) => `${count} files`,
          (report) => index.rebuild((cursor) => scanSearchChanges({ scanner }, cursor), report),
        )
        const failed = refused.map(({ companyId, change, reason }) => ({ company_id: companyId, media_id: change.mediaId, reason }))
        const lines = failed.map(({ media_id, reason }) => `Media ${media_id} was refused: ${reason}`)
        const text = [...lines, `The new index is in use. This run put ${files} files into it.`].join('\n')
        return { json: { files, refused: failed }, text, failed: failed.length > 0 }
      }),
    )

  verb(search, 'verify', 'compare the index with the table', [
    'search verify --stack media-library',
    'search verify --repair --stack media-library',
  ])
    .option('--repair', 'take what the table says into the index')
    .addHelpText('after', VERIFY_HELP)
    .action(
      act<{ repair?: boolean }>(console, async ({ table, clock, scanner, openSearchIndex }, { repair = false }) => {
        const library = { table, clock, scanner, index: await openSearchIndex() }
        const { files, differences } = await verifySearchIndex(library, SETTLE)
        const left = repair ? await repairSearchIndex(library, differences) : differences
        const lines = left.map(({ problem, companyId, mediaId }) => `${problem}: media ${mediaId} of company ${companyId}`)
        const repaired = differences.length - left.length
        const counts = `${files} files, ${differences.length} differences${repair ? `, ${repaired} repaired` : ''}.`
        const json = { files, differences: left.map(toJson), repaired }
        return { json, text: [...lines, counts].join('\n'), failed: left.length > 0 }
      }),
    )
}

function toJson({ problem, companyId, mediaId }: Difference) {
  return { problem, company_id: companyId, media_id: mediaId }
}

const REBUILD_HELP = `
Searches use the old index until the new one is whole, and the library may be in use. A run that was interrupted goes on where it ended when
the command is given again. A stack with a new collection has no index: until the first rebuild its searches answer 503.

Exit code: 0, or 1 when the engine refused files.`

const VERIFY_HELP = `
It changes nothing without --repair, and the library may be in use: what differs is looked at again after 20 seconds. Differences are
missing, outdated, left over (the file is gone), and ahead (of a table that was restored from a backup: rebuild the index).

Exit code: 0 when nothing differs, or all was repaired; 1 when something does.`
