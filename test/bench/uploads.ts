import { stat } from 'node:fs/promises'
import { photo } from '../support/pictures/index.ts'
import { importsIn } from './imports.ts'
import { processorSeconds } from './processes.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { upload } from './upload-order.ts'

/** Makes a photo of 2.6 MB. */
const MEGAPIXELS = 13.5
const DIFFERENT_PHOTOS = 8

/** Accepted uploads a second, over the whole path of an application: register, post the form, finalize. Imports follow meanwhile. */
export async function run({ seconds = 15, parallel = 4 } = {}): Promise<Row[]> {
  const paths: string[] = []
  for (let seed = 0; seed < DIFFERENT_PHOTOS; seed++) paths.push(await photo(MEGAPIXELS, seed))
  const megabytes = (await stat(paths[0]!)).size / 1e6
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { baseUrl, demo, pid } = service
  const authorization = await service.signIn()
  const sources = paths.map((path) => ({ path }))
  const usedBefore = processorSeconds(pid)
  const order = { baseUrl, authorization, folderId: demo.folder_id, sources, parallel, until: { seconds } }
  const { mediaIds, seconds: took, spent } = await upload(order)
  const used = processorSeconds(pid) - usedBefore
  using imports = importsIn(data.directory)
  const imported = (await imports.finished(mediaIds)).length
  const each = (ms: number) => ms / mediaIds.length
  return [
    {
      what: `accepted uploads of ${megabytes.toFixed(1)} MB, ${parallel} at a time`,
      value: mediaIds.length / took,
      unit: 'uploads/s',
      atLeast: 60,
    },
    { what: 'registering one, mean', value: each(spent.register), unit: 'ms' },
    { what: 'posting one, mean', value: each(spent.post), unit: 'ms' },
    { what: 'finalizing one, mean', value: each(spent.finalize), unit: 'ms' },
    { what: "the server's processor time for one", value: each(used * 1000), unit: 'ms' },
    { what: `imports finished meanwhile, of ${mediaIds.length}`, value: imported, unit: 'files' },
  ]
}
