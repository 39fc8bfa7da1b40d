import type { IndexFile } from './index-file.ts'

/** How many files each of these folders holds. */
export function countFiles(index: IndexFile, folders: readonly number[]): number[] {
  const rows = index.rows<[number, number]>(
    'SELECT id, files FROM folder WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(folders),
  )
  const counts = new Map(rows)
  return folders.map((folder) => counts.get(folder) ?? 0)
}
