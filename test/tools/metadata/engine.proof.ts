import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { createExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { timeLimit } from '../../../shared/tools/processes/time-limit.ts'
import { temporaryExifTool, withPerl } from '../../support/exiftool.ts'
import { bmp, dng, heic, hostile, images, matroska, mp4, photo, psds, save, tagged, taggedJpeg } from '../../support/pictures/index.ts'

const { exiftool, directory } = await temporaryExifTool()

describe('the two engines', () => {
  it('read the same tags of every kind of file', withPerl, async () => {
    const wasm = createExifTool({ kind: 'wasm', time: timeLimit(60_000) })
    try {
      assert.equal(await wasm.engine(), 'wasm')
      const { 'text-bomb.png': _, ...broken } = hostile
      const bitmap = async () => bmp(24)
      const raw = async () => dng(await images['plain.jpg'](), 6)
      const films = { 'film.mp4': () => mp4(['vide']), 'film.mkv': () => matroska([1]) }
      const files: { [name: string]: () => Buffer | Promise<Buffer> } = {
        ...images,
        ...psds,
        ...broken,
        ...films,
        'quarters.bmp': bitmap,
        'raw.dng': raw,
        'phone.heic': heic,
      }
      const saved = Object.entries(files).map(async ([name, make]) => save(directory, name, await make()))
      const written = Object.keys(tagged).map((name) => taggedJpeg(exiftool, directory, name as keyof typeof tagged))
      for (const path of [...(await Promise.all([...saved, ...written])), await photo(12, 1)]) {
        assert.deepEqual(await wasm.readTags(path, 'x'), await exiftool.readTags(path, 'x'), path)
      }
    } finally {
      await wasm.close()
    }
  })

  it('write the same bytes', withPerl, async () => {
    const odd = '-@#<="& \\n\t海😀\n{ready} e\u0301'
    const wanted = {
      title: odd,
      copyright: odd,
      description: odd.repeat(200),
      keywords: Array.from({ length: 50 }, (_, n) => `${n} ${odd}`),
    }
    const wasm = createExifTool({ kind: 'wasm', time: timeLimit(60_000) })
    try {
      const pictures = ['plain.jpg', 'deep-alpha.png', 'plain.tif'] as const
      const saved = pictures.map((name) => save(directory, name, images[name]()))
      const written = Object.keys(tagged).map((name) => taggedJpeg(exiftool, directory, name as keyof typeof tagged))
      for (const path of await Promise.all([...saved, ...written])) {
        await exiftool.writeFields(path, `${path}.perl`, wanted)
        await wasm.writeFields(path, `${path}.wasm`, wanted)
        assert.ok((await readFile(`${path}.perl`)).equals(await readFile(`${path}.wasm`)), path)
      }
    } finally {
      await wasm.close()
    }
  })

  it('write thousands of keywords into one file after the other', async () => {
    const keywords = Array.from({ length: 3_000 }, (_, n) => `keyword ${n}`)
    const wasm = createExifTool({ kind: 'wasm', processes: 1, time: timeLimit(60_000) })
    try {
      const source = await save(directory, 'untagged.jpg', images['plain.jpg']())
      for (const n of [1, 2, 3, 4]) await wasm.writeFields(source, join(directory, `many-${n}.jpg`), { keywords })
    } finally {
      await wasm.close()
    }
  })
})
