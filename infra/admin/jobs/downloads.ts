import type { Command } from 'commander'
import { keysWithIds } from '../../../shared/library/accounts/api-keys.ts'
import { listDownloads } from '../../../shared/library/downloads/log.ts'
import { timestamp } from '../../../shared/library/time.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { textTable } from '../text-table.ts'
import { companyId, limit, time } from '../values.ts'

/** `downloads list` */
export function downloadCommands(program: Command, console: Console): void {
  const downloads = noun(program, 'downloads', 'who downloaded what')

  verb(downloads, 'list', "list a company's downloads, newest first, of the last 90 days", [
    'downloads list --company 42',
    'downloads list --company 42 --since 2026-05-17 --limit 20 --json',
  ])
    .requiredOption('--company <id>', 'the company', companyId)
    .option('--since <time>', 'a day or a time of UTC, like 2026-05-17 or 2026-05-17T09:30:00Z', time, 0)
    .option('--limit <count>', 'how many at most', limit, 100)
    .addHelpText('after', HELP)
    .action(
      act<{ company: CompanyId; since: number; limit: number }>(console, async (library, { company, ...which }) => {
        await needCompany(library, company)
        const listed = await listDownloads(library, company, which)
        const keys = await keysWithIds(library, new Set(listed.flatMap(({ keyId }) => keyId ?? [])))
        const json = listed.map(({ time, mediaId, size, userId, keyId, info }) => ({
          time: timestamp(time),
          media_id: mediaId,
          size,
          user_id: userId,
          key: keyId === null ? null : (keys.get(keyId) ?? null),
          download_info: info === null ? null : (JSON.parse(info) as unknown),
        }))
        const rows = json.map((one) => {
          const { download_info: info } = one
          return [
            one.time,
            one.media_id,
            one.size ?? 'original',
            one.user_id ?? '',
            one.key ?? '',
            info === null ? '' : JSON.stringify(info),
          ]
        })
        const table = textTable(['TIME (UTC)', 'FILE', 'SIZE', 'USER', 'KEY', 'INFO'], rows)
        return { json, text: json.length === 0 ? 'No file was downloaded.' : table }
      }),
    )
}

const HELP = `
A download is a URL that was given out, whether anybody used it or not: of a file of the company's, or of an item of the stock library.
USER is who asked for it, or whom the application named. KEY is that of the application.`
