import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty directory until the test ends, after its hooks. @param atEnd `afterAll` for one of all tests of a file or suite */
export function temporaryDirectory(atEnd: (remove: () => void) => void = onTestFinished): string {
  const directory = mkdtempSync(join(tmpdir(), 'media-library-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
