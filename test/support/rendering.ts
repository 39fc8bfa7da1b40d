import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createRenderer, type Rendered } from '../../shared/tools/imaging/render.ts'
import { createExifTool, type ExifTool } from '../../shared/tools/metadata/exiftool.ts'
import { sniff } from '../../shared/tools/sniffing.ts'
import { save } from './pictures/index.ts'

/** What tests of rendering work with; set up before and cleared away after the tests of the file that calls this. */
export function rendering() {
  const setup = {
    directory: '',
    exiftool: undefined as unknown as ExifTool,
    /** Sniffs and renders a file of these bytes. */
    async render(bytes: Buffer | Promise<Buffer>): Promise<Rendered> {
      const into = await mkdtemp(join(setup.directory, 'one-'))
      const path = await save(into, 'original', bytes)
      const { mime } = await sniff(path)
      return await createRenderer(setup.exiftool)(path, mime, into)
    },
  }
  beforeAll(async () => {
    setup.directory = await mkdtemp(join(tmpdir(), 'rendering-'))
    setup.exiftool = createExifTool()
  })
  afterAll(async () => {
    await setup.exiftool.close()
    await rm(setup.directory, { recursive: true })
  })
  return setup
}
