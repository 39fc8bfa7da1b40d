import { importsIn } from './imports.ts'
import { peakBytes, watchMemory } from './processes.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { upload } from './upload-order.ts'

/** One large upload: how long it takes, and how much memory. */
export async function run({ megabytes = 1024 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { baseUrl, demo, pid } = service
  const authorization = await service.signIn()
  const sources = [{ bytes: megabytes * 1024 ** 2 }]
  const stopWatching = watchMemory(pid)
  const { mediaIds, seconds } = await upload({
    to: { baseUrl, authorization, folderId: demo.folder_id },
    sources,
    parallel: 1,
    until: { uploads: 1 },
  })
  const serverPeak = peakBytes(pid)
  using imports = importsIn(data.directory)
  const started = performance.now()
  await imports.untilFinished(mediaIds)
  const importing = (performance.now() - started) / 1000
  return [
    { what: `upload of ${megabytes} MiB`, value: seconds, unit: 's' },
    { what: "the server's peak memory until it was accepted", value: serverPeak / 1e6, unit: 'MB', atMost: 200 },
    { what: 'its import', value: importing, unit: 's' },
    { what: 'peak memory of all processes until it was imported', value: stopWatching() / 1e6, unit: 'MB' },
  ]
}
