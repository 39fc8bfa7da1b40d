import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { createRenderer, type Rendered } from '../../shared/tools/imaging/render.ts'
import { sniff } from '../../shared/tools/sniffing.ts'
import { temporaryExifTool } from './exiftool.ts'
import { save } from './pictures/index.ts'

/** What tests of rendering work with, for the tests of the file that calls this. */
export async function rendering() {
  const { exiftool, directory } = await temporaryExifTool()
  return {
    exiftool,
    directory,
    /** Sniffs and renders a file of these bytes. */
    async render(bytes: Buffer | Promise<Buffer>): Promise<Rendered> {
      const into = await mkdtemp(join(directory, 'one-'))
      const path = await save(into, 'original', bytes)
      const { mime } = await sniff(path)
      return await createRenderer(exiftool)(path, mime, into)
    },
  }
}
