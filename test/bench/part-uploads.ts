import { importsIn } from './imports.ts'
import { peakBytes, processorSeconds, watchLargestProcess } from './processes.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { upload } from './upload-order.ts'

/** Parts that are sent at a time. */
const PARALLEL = 4

/** A file in parts beside the same file in a form, and what its import takes. */
export async function run({ megabytes = 1024 } = {}): Promise<Row[]> {
  const bytes = megabytes * 1024 ** 2
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { baseUrl, demo, pid } = service
  const authorization = await service.signIn()
  const form = () =>
    upload({ to: { baseUrl, authorization, folderId: demo.folder_id }, sources: [{ bytes }], parallel: 1, until: { uploads: 1 } })
  using imports = importsIn(data.directory)

  const formBefore = await form()
  await imports.untilFinished(formBefore.mediaIds)
  const cpu = processorSeconds(pid)
  const parts = await inParts(service, authorization, bytes)
  const partsCpu = processorSeconds(pid) - cpu
  const serverPeak = peakBytes(pid)
  const stopWatching = watchLargestProcess(pid)
  const started = performance.now()
  await imports.untilFinished([parts.mediaId])
  const importing = (performance.now() - started) / 1000
  const largest = stopWatching()
  const formAfter = await form()
  const formSeconds = (formBefore.seconds + formAfter.seconds) / 2
  return [
    { what: `a form of ${megabytes} MiB, half before and half after`, value: formSeconds, unit: 's' },
    { what: `the same in parts, ${PARALLEL} at a time`, value: parts.seconds, unit: 's' },
    { what: 'throughput of parts, of that of the form', value: formSeconds / parts.seconds, unit: 'x', atLeast: 0.9 },
    { what: "the server's processor time for the parts", value: partsCpu, unit: 's' },
    { what: "the server's peak memory until they were a file", value: serverPeak / 1e6, unit: 'MB', atMost: 300 },
    { what: 'its import', value: importing, unit: 's' },
    { what: 'the largest process meanwhile', value: largest / 1e6, unit: 'MB', atMost: 300 },
  ]
}

async function inParts(
  { request, demo }: Pick<Awaited<ReturnType<typeof startServiceProcess>>, 'request' | 'demo'>,
  authorization: string,
  bytes: number,
): Promise<{ seconds: number; mediaId: number }> {
  const call = async <T>(path: string, body: unknown): Promise<T> => {
    const answer = await request(path, { method: 'POST', headers: { authorization }, body: JSON.stringify(body) })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const started = performance.now()
  type Begun = { upload_id: string; part_bytes: number; parts: number }
  const begun = await call<Begun>('/upload/multipart', { folder: demo.folder_id, filename: 'large.bin', bytes })
  const contents = Buffer.alloc(begun.part_bytes, 'parts ')
  let next = 1
  async function send(): Promise<void> {
    for (let number = next++; number <= begun.parts; number = next++) {
      const { urls } = await call<{ urls: { url: string }[] }>(`/upload/multipart/${begun.upload_id}/parts`, { parts: [number] })
      const body = contents.subarray(0, Math.min(begun.part_bytes, bytes - (number - 1) * begun.part_bytes))
      const put = await fetch(urls[0]!.url, { method: 'PUT', body })
      if (put.status !== 200) throw new Error(`part ${number}: ${put.status}`)
      await put.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, send))
  const { media_id } = await call<{ media_id: number }>(`/upload/multipart/${begun.upload_id}/complete`, {})
  return { seconds: (performance.now() - started) / 1000, mediaId: media_id }
}
