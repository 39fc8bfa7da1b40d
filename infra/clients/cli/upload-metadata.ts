import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { fieldColumns } from '../../../shared/tools/sidecars/columns.ts'
import { entriesIn } from '../../../shared/vocabulary/editable-fields.ts'
import type { MediaLibrary, Schemas } from '../client/client.ts'
import { untilDone } from '../client/until-done.ts'
import { exitCodes, Failure } from './exit-code.ts'
import { filling } from './filling.ts'

type Change = Schemas['BulkChange']

/** Columns of a table of metadata. `path` is what leads from the given folder to the file. */
export const COLUMNS = ['path', ...Object.keys(fieldColumns)]

/** Metadata of files by their path, of a CSV file with a line of columns. Keywords are separated by `;`. @throws Failure */
export async function metadataTable(path: string): Promise<ReadonlyMap<string, Change>> {
  const rows: Record<string, string>[] = parse(await readFile(path), { columns: true, bom: true, trim: true, skip_empty_lines: true })
  const unknown = Object.keys(rows[0] ?? { path: '' }).filter((column) => !COLUMNS.includes(column))
  if (unknown.length > 0)
    throw new Failure(exitCodes.usage, `${path} has unknown columns: ${unknown.join(', ')}. Known are ${COLUMNS.join(', ')}.`)
  if (rows.some((row) => !row.path)) throw new Failure(exitCodes.usage, `${path} has a row without a path.`)
  for (const row of rows) {
    const pointless = points.find((name) => row[name] && fieldColumns[name].read(row[name]) === undefined)
    if (pointless)
      throw new Failure(exitCodes.usage, `${path}: the ${pointless} of ${row.path} must be two numbers from 0 to 1, like 0.5,0.25.`)
  }
  return new Map(rows.map((row) => [row.path!.normalize('NFC').replace(/^\.?\//, ''), changeOfRow(row)]))
}

const points = entriesIn('manifest').flatMap(({ name, is }) => (is === 'point' ? [name] : []))

function changeOfRow(row: Record<string, string>): Change {
  const values = Object.entries(fieldColumns).flatMap(([name, column]) => (row[name] ? [[name, column.read(row[name])]] : []))
  return filling(Object.fromEntries(values))
}

/** Gives a file its metadata, when it is imported. @throws Failure where that is refused */
export async function applyMetadata(library: MediaLibrary, id: number, change: Change, signal: AbortSignal): Promise<void> {
  if (Object.keys(change).length === 0) return
  await library.waitUntilAvailable(id, { signal })
  const { job_id } = await library.post('/media/bulk', { body: { select: { ids: [id] }, change }, signal })
  const { state, refused } = await untilDone(async () => {
    const job = await library.get('/bulk/{job_id}', { params: { path: { job_id } }, signal })
    return job.state === 'PENDING' ? undefined : job
  }, signal)
  const [refusal] = refused
  if (refusal)
    throw new Failure(
      refusal.code === 'forbidden' ? exitCodes.forbidden : exitCodes.someFailed,
      `Its metadata is refused: ${refusal.code}.`,
    )
  if (state === 'FAILED') throw new Failure(exitCodes.someFailed, 'Its metadata could not be changed.')
}
