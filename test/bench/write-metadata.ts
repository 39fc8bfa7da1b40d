import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../../shared/tools/metadata/engine.ts'
import { createExifTool } from '../../shared/tools/metadata/exiftool.ts'
import { largePhoto } from './large-photo.ts'
import type { Row } from './report.ts'
import { percentile, timed } from './timing.ts'

const engines: readonly Engine['kind'][] = ['perl', 'wasm']
const sizes = [7, 25, 60]
/** Milliseconds that the median may take for the smallest size. */
const atMost = { perl: 30, wasm: 150 }

const fields = { title: 'Øresund bridge', copyright: '© Zoë Müller', description: 'In the evening', keywords: ['bridge', 'sea', 'evening'] }

/** Writing metadata into photos, verification included, with an ExifTool that is warm. @param rounds how often each is written */
export async function run({ rounds = 31 } = {}): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'write-metadata-'))
  const target = join(folder, 'written')
  const rows: Row[] = []
  try {
    for (const kind of engines) {
      const exiftool = createExifTool({ kind, processes: 1 })
      for (const megabytes of sizes) {
        const source = await largePhoto(megabytes)
        const before = () => rm(target, { force: true })
        const write = () => exiftool.writeFields(source, target, fields)
        await timed(3, write, before)
        const value = percentile(await timed(rounds, write, before), 0.5)
        rows.push({
          what: `metadata into a ${megabytes} MB JPEG, ${kind}, p50`,
          value,
          unit: 'ms',
          ...(megabytes === 7 && { atMost: atMost[kind] }),
        })
      }
      await exiftool.close()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  return rows
}
