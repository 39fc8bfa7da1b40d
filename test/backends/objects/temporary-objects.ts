import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
