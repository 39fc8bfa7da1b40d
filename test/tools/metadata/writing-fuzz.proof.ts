import assert from 'node:assert/strict'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { createExifTool, type ExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { imageData } from '../../support/image-data.ts'
import { mutate } from '../../support/mutations.ts'
import { images, oddJpegs, oddPngs, oddTiffs } from '../../support/pictures/index.ts'

/** Files that are tried; `FUZZ_FILES=10000` tries more. The seeds are 1 to this number. */
const FILES = Number(process.env.FUZZ_FILES ?? 500)
const PARALLEL = 2

const fields = { title: 'Ø', copyright: '© Zoë', description: 'Über', keywords: ['sjö', 'é'] }

describe('damaged files', () => {
  let directory: string
  let exiftool: ExifTool
  let samples: (readonly [name: string, file: Buffer])[]
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fuzz-'))
    exiftool = createExifTool({ processes: PARALLEL })
    const { 'large-head.jpg': _, ...jpegs } = oddJpegs
    const { 'many-texts.png': __, ...pngs } = oddPngs
    const makers = Object.entries({ ...images, ...jpegs, ...pngs, ...oddTiffs }).filter(([name]) => /\.(jpg|png|tif)$/.test(name))
    samples = await Promise.all(makers.map(async ([name, make]) => [name, await make()] as const))
  })
  afterAll(async () => {
    await exiftool.close()
    await rm(directory, { recursive: true })
  })

  test(`${FILES} of them are written with their image data, or not at all`, async ({ annotate }) => {
    const seeds = Array.from({ length: FILES }, (_, index) => index + 1).values()
    const outcomes = { written: 0, refused: 0 }
    const lanes = Array.from({ length: PARALLEL }, async () => {
      for (const seed of seeds) outcomes[await tryOne(seed)]++
    })
    await Promise.all(lanes)
    await annotate(`${outcomes.written} written, ${outcomes.refused} refused`)
    assert.ok(outcomes.written > 0 && outcomes.refused > 0)
  })

  async function tryOne(seed: number): Promise<'written' | 'refused'> {
    const [name, file] = samples[seed % samples.length]!
    const damaged = mutate(file, seed)
    const [source, target] = [join(directory, `${seed}`), join(directory, `${seed}.written`)]
    await writeFile(source, damaged)
    try {
      const failure = await exiftool.writeFields(source, target, fields).catch((error: unknown) => error)
      if (failure) {
        assert.ok(failure instanceof ToolFailed, `seed ${seed}, ${name}: ${failure}`)
        await assert.rejects(access(target), { code: 'ENOENT' }, `seed ${seed}, ${name}`)
        return 'refused'
      }
      const copy = await readFile(target)
      assert.ok(imageData(name, copy).equals(imageData(name, damaged)), `seed ${seed}, ${name}`)
      return 'written'
    } finally {
      await Promise.all([source, target].map((path) => rm(path, { force: true })))
    }
  }
})
