import { readFile } from 'node:fs/promises'
import { photo } from '../support/pictures/index.ts'
import { upload } from '../support/uploading.ts'
import { type KeepAliveClient, keepAliveClient } from './keep-alive-client.ts'
import type { Row } from './report.ts'
import { generatedId } from './search-library.ts'
import { FOLDERS, fillOwn, queries, searched } from './searched-library.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, sorted } from './timing.ts'

/** What each client does in turn, over and over: 45 % folders, 25 % files, 25 % searches, 5 % uploads. */
const half = ['folder', 'media', 'search', 'folder', 'folder', 'media', 'search', 'folder'] as const
const PATTERN = [...half, 'folder', 'upload', ...half, 'media', 'search'] as const
type Kind = (typeof PATTERN)[number]
const KINDS: readonly Kind[] = ['folder', 'media', 'search', 'upload']

/** Medians that cheap reads are to have, in milliseconds. */
const TARGETS: Partial<Record<Kind, number>> = { folder: 25, media: 25 }
/** Makes a photo of about 200 KB. */
const MEGAPIXELS = 1

/** Many clients at once, which read, search and upload. Imports follow meanwhile. */
export async function run({ clients = 64, seconds = 20, files = 20_000 } = {}): Promise<Row[]> {
  const picture = await readFile(await photo(MEGAPIXELS, 0))
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { baseUrl, demo } = service
  await fillOwn(service, files)
  const authorization = await service.signIn()
  const api = await service.client(authorization)
  const texts = queries()
  const work: Record<Kind, (client: KeepAliveClient, n: number) => Promise<unknown>> = {
    folder: (client, n) => client.get(`/folder/${FOLDERS[n % FOLDERS.length]}`),
    media: (client, n) => client.get(`/media/${generatedId(n % files)}`),
    search: (client, n) => searched(client, texts[n % texts.length]!),
    upload: () => upload(api, demo.folder_id, picture, 'photo.jpg'),
  }
  using first = keepAliveClient({ baseUrl, authorization })
  for (const text of texts) await searched(first, text)
  const times: Record<Kind, number[]> = { folder: [], media: [], search: [], upload: [] }
  const end = performance.now() + seconds * 1000
  const loop = async (client: number) => {
    using connection = keepAliveClient({ baseUrl, authorization })
    for (let n = 131 * client; performance.now() < end; n++) {
      const kind = PATTERN[n % PATTERN.length]!
      const started = performance.now()
      await work[kind](connection, n)
      times[kind].push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => loop(client)))
  return KINDS.flatMap((kind) => rowsOf(kind, times[kind], seconds))
}

function rowsOf(kind: Kind, times: readonly number[], seconds: number): Row[] {
  const ordered = sorted(times)
  const atMost = TARGETS[kind]
  return [
    { what: `${kind}, p50`, value: percentile(ordered, 0.5), unit: 'ms', ...(atMost !== undefined && { atMost }) },
    { what: `${kind}, p99`, value: percentile(ordered, 0.99), unit: 'ms' },
    { what: `${kind}, answers`, value: times.length / seconds, unit: '1/s' },
  ]
}
