import { photo } from '../support/pictures/index.ts'
import { run as measureTools } from './import-tools.ts'
import { importsIn } from './imports.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { upload } from './upload-order.ts'

/** As many different pictures as the bench of the tools takes, and the same ones. */
const DIFFERENT_PHOTOS = 12

/**
 * Photos of 12 to 24 megapixels through the whole service, from the first registration until all are available, beside the same work
 * by commands (import-tools.ts).
 */
export async function run({ photos = 200 } = {}): Promise<Row[]> {
  const ours = await filesPerMinute(photos)
  const tools = await measureTools({ photos })
  const commands = tools.find(({ what }) => what.startsWith('the same by'))
  const ratio: Row[] = commands ? [{ what: 'the service against commands', value: ours / commands.value, unit: 'ratio', atLeast: 2 }] : []
  return [{ what: `${photos} photos uploaded and imported by the service`, value: ours, unit: 'files/min' }, ...tools, ...ratio]
}

async function filesPerMinute(photos: number): Promise<number> {
  const paths: string[] = []
  for (let n = 0; n < Math.min(DIFFERENT_PHOTOS, photos); n++) paths.push(await photo(12 + (n % 5) * 3, n))
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { baseUrl, demo } = service
  const to = { baseUrl, authorization: await service.signIn(), folderId: demo.folder_id }
  const sources = paths.map((path) => ({ path }))
  const started = performance.now()
  const { mediaIds } = await upload({ to, sources, parallel: 4, until: { uploads: photos } })
  using imports = importsIn(data.directory)
  const files = await imports.untilFinished(mediaIds)
  const minutes = (performance.now() - started) / 60_000
  const failed = files.filter(({ kind }) => kind !== 'image').length
  if (failed > 0) throw new Error(`${failed} photos were imported as something else than images`)
  return photos / minutes
}
