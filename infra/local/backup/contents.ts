import { readdirSync } from 'node:fs'

/** Folders of the buckets, in a data folder and in a backup. */
export const BUCKETS = ['uploads', 'media', 'public'] as const

export type BucketName = (typeof BUCKETS)[number]

/** Paths of the databases in a data folder, and in a backup. */
export const DATABASES = ['table.db', ...BUCKETS.map((bucket) => `${bucket}/index.db`)] as const

/** The keys of a data folder, which decrypt records of its table. */
export const SECRETS = 'secrets.json'

/** Paths of other files in a backup. Excludes caches, mails and temporary files. */
export function smallFilesIn(directory: string): string[] {
  const there = new Set(namesIn(directory))
  return ['format.json', 'demo.json'].filter((name) => there.has(name))
}

/** Names in a folder; none where it is missing. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
