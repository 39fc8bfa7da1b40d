import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The buckets of a data folder: their folders, in it and in a backup. */
export const BUCKETS = ['uploads', 'media', 'public'] as const

export type BucketName = (typeof BUCKETS)[number]

/** The databases of a data folder, by their paths in it. Each has the same path in a backup. `queues.db` and `transcoding.db` are of earlier versions. */
export const DATABASES = ['table.db', 'queues.db', 'transcoding.db', ...BUCKETS.map((bucket) => `${bucket}/index.db`)] as const

/** The keys of a data folder, which open records of its table. */
export const SECRETS = 'secrets.json'

/** Other files of a data folder that a backup holds, by their paths in it: `parked` holds dead letters. Not: caches, mails, temporary files. */
export function smallFilesIn(directory: string): string[] {
  const names = ['format.json', 'demo.json']
  const letters = namesIn(join(directory, 'parked')).filter((name) => name.endsWith('.json'))
  const there = new Set(namesIn(directory))
  return [...names.filter((name) => there.has(name)), ...letters.map((name) => `parked/${name}`)]
}

/** Names in a folder, none where there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
