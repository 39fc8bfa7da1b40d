import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Inspecting } from '../../shared/library/imports/inspect.ts'
import { ToolFailed } from '../../shared/tools/failure.ts'
import { instead } from './instead.ts'
import { images } from './pictures/index.ts'

/** Tools that start no process: each picture has a size of its own in one small rendition, for tests that import many times. */
export async function quickInspection(): Promise<Inspecting> {
  const small = await images['one-pixel.png']()
  return {
    exiftool: instead({} as Inspecting['exiftool'], {
      readTags: async () => ({ printed: {}, texts: {} }),
      readBinary: async () => undefined,
    }),
    renderer: async (_, __, into) => {
      const path = join(into, 'rendition')
      await writeFile(path, small)
      const rendition = { path, mime: 'image/png', width: 1, height: 1, bytes: small.length } as const
      return { renditions: [{ ...rendition, size: '110px' }], width: 1, height: 1, thumbhash: 'hash' }
    },
    videoProbe: () => Promise.reject(new ToolFailed('no film')),
  }
}
