import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { keywordsIn } from '../../../shared/tools/sidecars/json.ts'
import { pointIn } from '../../../shared/vocabulary/point.ts'
import type { MediaLibrary, Schemas } from '../client/client.ts'
import { untilDone } from '../client/until-done.ts'
import { exitCodes, Failure } from './exit-code.ts'

type Change = Schemas['BulkChange']

/** Columns of a table of metadata. `path` is what leads from the given folder to the file. */
const COLUMNS = ['path', 'title', 'description', 'byline', 'copyright', 'expiration_date', 'keywords', 'focal_point']

/** Metadata of files by their path, of a CSV file with a line of columns. Keywords are separated by `;`. @throws Failure */
export async function metadataTable(path: string): Promise<ReadonlyMap<string, Change>> {
  const rows: Record<string, string>[] = parse(await readFile(path), { columns: true, bom: true, trim: true, skip_empty_lines: true })
  const unknown = Object.keys(rows[0] ?? { path: '' }).filter((column) => !COLUMNS.includes(column))
  if (unknown.length > 0)
    throw new Failure(exitCodes.usage, `${path} has unknown columns: ${unknown.join(', ')}. Known are ${COLUMNS.join(', ')}.`)
  if (rows.some((row) => !row.path)) throw new Failure(exitCodes.usage, `${path} has a row without a path.`)
  const pointless = rows.find(({ focal_point: point }) => point && !pointIn(point))
  if (pointless)
    throw new Failure(exitCodes.usage, `${path}: the focal_point of ${pointless.path} must be two numbers from 0 to 1, like 0.5,0.25.`)
  return new Map(rows.map((row) => [row.path!.normalize('NFC').replace(/^\.?\//, ''), changeOfRow(row)]))
}

function changeOfRow({ title, description, byline, copyright, expiration_date, keywords, focal_point }: Record<string, string>): Change {
  const replace = keywordsIn(keywords ?? '')
  const point = pointIn(focal_point ?? '')
  return {
    ...(title && { title: { en: title } }),
    ...(description && { description: { en: description } }),
    ...(byline && { byline }),
    ...(copyright && { copyright }),
    ...(expiration_date && { expiration_date }),
    ...(point && { focal_point: point }),
    ...(replace.length > 0 && { keywords: { en: { replace } } }),
  }
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
