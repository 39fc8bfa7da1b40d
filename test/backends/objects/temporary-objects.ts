import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import { type EmbeddedObjects, openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'

/** An embedded bucket in a directory of its own. */
export interface TemporaryObjects {
  directory: string
  objects: EmbeddedObjects
  /** Closes the bucket and removes the directory. */
  close(): Promise<void>
}

export async function temporaryObjects(clock?: Clock): Promise<TemporaryObjects> {
  const parent = await mkdtemp(join(tmpdir(), 'objects-'))
  const directory = join(parent, 'bucket')
  const objects = openEmbeddedObjects(directory, clock)
  return {
    directory,
    objects,
    async close() {
      objects.close()
      await rm(parent, { recursive: true })
    },
  }
}

/** A bucket for one test. It is removed after the test. */
export async function bucketOfTest(clock?: Clock): Promise<TemporaryObjects> {
  const bucket = await temporaryObjects(clock)
  onTestFinished(() => bucket.close())
  return bucket
}

/** Files with the bytes of objects, relative to the directory. */
export async function objectFiles(directory: string): Promise<string[]> {
  return (await allFiles(directory)).filter((file) => !file.startsWith('index.db'))
}

export async function allFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => relative(directory, join(entry.parentPath, entry.name)))
}
