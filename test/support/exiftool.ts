import { afterAll } from 'vitest'
import { chooseEngine } from '../../shared/tools/metadata/engine.ts'
import { createExifTool, type ExifTool } from '../../shared/tools/metadata/exiftool.ts'
import { skippedFor } from './skipping.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const hasPerl = await chooseEngine({ kind: 'perl' }).then(
  () => true,
  () => false,
)

/** Options of tests that run ExifTool in Perl itself. */
export const withPerl = skippedFor(!hasPerl && 'there is no perl')

/** An ExifTool and a folder for its files, shared by the tests of a file and removed after them. */
export async function temporaryExifTool(): Promise<{ exiftool: ExifTool; directory: string }> {
  const directory = temporaryDirectory(afterAll)
  const exiftool = createExifTool()
  afterAll(() => exiftool.close())
  return { exiftool, directory }
}
