import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { photo } from '../support/pictures/index.ts'
import { importsIn } from './imports.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { type Source, type Uploaded, upload } from './upload-order.ts'

/** Makes a photo of 2.6 MB. */
const MEGAPIXELS = 13.5
const DIFFERENT_PHOTOS = 8

/**
 * Accepted uploads a second, over the whole path of an application: register, post the form, finalize. Imports follow meanwhile. Beside it, half
 * before and half after, the floor: a server that stores the same bytes of a form, and does nothing else.
 */
export async function run({ seconds = 15, parallel = 4 } = {}): Promise<Row[]> {
  const paths: string[] = []
  for (let seed = 0; seed < DIFFERENT_PHOTOS; seed++) paths.push(await photo(MEGAPIXELS, seed))
  const megabytes = (await stat(paths[0]!)).size / 1e6
  const sources = paths.map((path) => ({ path }))
  const before = await floor(sources, parallel, seconds / 2)
  const { uploaded, imported } = await service(sources, parallel, seconds)
  const after = await floor(sources, parallel, seconds / 2)
  const rate = uploaded.uploads / uploaded.seconds
  const floorRate = (before.uploads + after.uploads) / (before.seconds + after.seconds)
  return [
    { what: `accepted uploads of ${megabytes.toFixed(1)} MB, ${parallel} at a time`, value: rate, unit: 'uploads/s' },
    { what: 'the same bytes to node:http and busboy, synced, nothing else', value: floorRate, unit: 'uploads/s' },
    { what: 'accepted uploads, of that floor', value: rate / floorRate, unit: 'x', atLeast: 0.9 },
    { what: `imports finished meanwhile, of ${uploaded.uploads}`, value: imported, unit: 'files' },
  ]
}

async function service(sources: Source[], parallel: number, seconds: number): Promise<{ uploaded: Uploaded; imported: number }> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { baseUrl, demo } = service
  const to = { baseUrl, authorization: await service.signIn(), folderId: demo.folder_id }
  const uploaded = await upload({ to, sources, parallel, until: { seconds } })
  using imports = importsIn(data.directory)
  return { uploaded, imported: (await imports.finished(uploaded.mediaIds)).length }
}

async function floor(sources: Source[], parallel: number, seconds: number): Promise<Uploaded> {
  await using data = await temporaryData()
  const program = new URL('./upload-floor.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, data.directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = await once(createInterface(child.stdout), 'line')
    const to = { action: `http://127.0.0.1:${port}/` }
    return await upload({ to, sources, parallel, until: { seconds } })
  } finally {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
}
