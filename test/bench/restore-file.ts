import { systemClock } from '../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { exchangeFile } from '../support/exchanged.ts'
import { by } from '../support/library.ts'
import { importsIn } from './imports.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, sorted } from './timing.ts'
import { upload } from './upload-order.ts'

/** Going back to a large file, over HTTP: in each round another file is current, and the first one becomes it again. */
export async function run({ megabytes = 1024, rounds = 25 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { baseUrl, demo } = service
  const client = await service.client()
  const to = { baseUrl, authorization: await service.signIn(), folderId: demo.folder_id }
  const { mediaIds } = await upload({ to, sources: [{ bytes: megabytes * 1024 ** 2 }], parallel: 1, until: { uploads: 1 } })
  using imports = importsIn(data.directory)
  await imports.untilFinished(mediaIds)
  const [id] = mediaIds
  using table = closing(openEmbeddedTable(embeddedLayout(data.directory).table))

  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await exchangeFile({ table: table.open, clock: systemClock, by }, id!, { bytes: 1 })
    const started = performance.now()
    const { status } = await client['restore-file']({ params: { id: id!, number: 1 }, body: {} })
    times.push(performance.now() - started)
    if (status !== 200) throw new Error(`restoring: ${status}`)
  }
  const what = `a file of ${megabytes} MiB, current again`
  return [
    { what: `${what}: median of ${rounds}`, value: percentile(sorted(times), 0.5), unit: 'ms', atMost: 300 },
    { what: `${what}: the slowest`, value: Math.max(...times), unit: 'ms', atMost: 300 },
  ]
}

const closing = <Opened extends { close(): void }>(open: Opened) => ({ open, [Symbol.dispose]: () => open.close() })
