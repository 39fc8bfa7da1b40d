import { text } from '../language/language.svelte.ts'
import { notices } from '../ui/notices.svelte.ts'
import { saveFrom } from '../ui/save.ts'
import { type EventFilter, type LibraryEvent, listEvents } from './calls.ts'
import { Names } from './names.ts'

/** Events of one request. */
const AT_ONCE = 1_000

const columns = [
  ...['id', 'created', 'type', 'person', 'name', 'user_id', 'key_id', 'media_id', 'folder_ids', 'version', 'folder_id', 'parent', 'link'],
  ...['job_id', 'share_id', 'percent', 'bytes', 'quota_bytes', 'request_id', 'network', 'file_number'],
]

/** Downloads all events that a filter asks for, newest first, as a table for spreadsheets (RFC 4180). */
export async function downloadCsv(filter: EventFilter): Promise<void> {
  const names = new Names()
  // Excel takes a file for UTF-8 by this mark alone.
  const parts = [`\uFEFF${columns.join(',')}\r\n`]
  const progress = notices.progress()
  let count = 0
  try {
    for (let cursor: string | undefined = 'now'; cursor !== undefined; ) {
      const { events, next }: Awaited<ReturnType<typeof listEvents>> = await listEvents(filter, cursor, AT_ONCE)
      await names.learn(events)
      parts.push(events.map((event) => row(event, names)).join(''))
      count += events.length
      progress.show(text.eventsRead(count))
      cursor = next
    }
  } finally {
    progress.end()
  }
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }))
  saveFrom(url, 'activity.csv')
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function row(event: LibraryEvent, names: Names): string {
  const { actor, data } = event
  const name =
    (data.media_id !== undefined && names.file(data.media_id)) || (data.folder_id !== undefined && names.folder(data.folder_id)) || ''
  const values: Record<string, unknown> = {
    ...{ ...event, ...actor, ...data },
    folder_ids: data.folder_ids?.join(';'),
    person: harmless(names.actor(event)),
    name: harmless(name),
  }
  return `${columns.map((column) => cell(String(values[column] ?? ''))).join(',')}\r\n`
}

/** A text that somebody chose, so that spreadsheets don't take it for a formula. */
const harmless = (value: string): string => (/^[\s]*[=+\-@]|^[\t\r\n]/.test(value) ? `'${value}` : value)

const cell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
