import { type Command, Option } from 'commander'
import { feedEventJson } from '../../../functions/event/event-json.ts'
import { allEvents } from '../../../shared/library/feed/all-events.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { companyId, time } from '../values.ts'

const formats = ['jsonl', 'csv'] as const

/** `events export` */
export function eventCommands(program: Command, console: Console): void {
  const events = noun(program, 'events', 'what has happened in a company')

  verb(events, 'export', "print a company's events that are kept, oldest first, one a line", [
    'events export --company 42 --since 2026-05-01 > events.jsonl',
    'events export --company 42 --format csv > events.csv',
  ])
    .requiredOption('--company <id>', 'the company', companyId)
    .option('--since <time>', 'a day or a time of UTC, like 2026-05-17 or 2026-05-17T09:30:00Z', time, 0)
    .addOption(new Option('--format <format>', 'jsonl: a JSON value a line, as GET /event has it').choices(formats).default('jsonl'))
    .action(
      act<{ company: CompanyId; since: number; format: (typeof formats)[number] }>(console, async (library, { company, since, format }) => {
        await needCompany(library, company)
        if (format === 'csv') console.out(columns.join(','))
        for await (const event of allEvents(library, company, since)) {
          const json = feedEventJson(company, event)
          console.out(format === 'csv' ? row(json) : JSON.stringify(json))
        }
      }),
    )
}

const columns = [
  ...[
    'id',
    'created',
    'type',
    'user_id',
    'key_id',
    'person_id',
    'media_id',
    'folder_ids',
    'version',
    'folder_id',
    'parent',
    'link',
    'job_id',
    'share_id',
  ],
  ...['percent', 'bytes', 'quota_bytes', 'request_id', 'network', 'file_number'],
]

/** `user_id` did it, `person_id` is whom it was done to. Ids, numbers, times and networks hold no comma and no quote. */
function row({ actor, data, ...event }: ReturnType<typeof feedEventJson>): string {
  const values: Record<string, unknown> = { ...event, ...data, person_id: data.user_id, ...actor, folder_ids: data.folder_ids?.join(';') }
  return columns.map((column) => values[column] ?? '').join(',')
}
