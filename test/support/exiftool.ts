import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createExifTool, type ExifTool } from '../../shared/tools/metadata/exiftool.ts'

/** An ExifTool and a folder for its files, shared by the tests of a file and removed after them. */
export async function temporaryExifTool(): Promise<{ exiftool: ExifTool; directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'exiftool-'))
  const exiftool = createExifTool()
  afterAll(async () => {
    await exiftool.close()
    await rm(directory, { recursive: true })
  })
  return { exiftool, directory }
}
