import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { uploadAndImport } from '../support/uploading.ts'
import { testVideo } from '../support/videos.ts'
import type { Row } from './report.ts'
import { type ServiceProcess, startServiceProcess, temporaryData } from './service-process.ts'
import { percentile } from './timing.ts'

type Client = Awaited<ReturnType<ServiceProcess['client']>>

/** How often is looked, and how long at most, in milliseconds. */
const LOOK = 10
const MAX_WAIT_MS = 300_000

const VIDEO = { width: 1280, height: 720, seconds: 20, fps: 30 }

/**
 * From `POST /media/:id/stream` until a player has its first segment, for a video of 20 s and 720p: alone, and asked for right after the
 * upload, when the preview is made, too.
 * @param options.rounds how many of each
 */
export async function run({ rounds = 5 } = {}): Promise<Row[]> {
  const bytes = await readFile(await testVideo(VIDEO))
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const client = await service.client()
  const previews: number[] = []
  const alone: number[] = []
  const together: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await uploadAndImport(client, service.demo.folder_id, bytes, 'film.mp4')
    previews.push(await until(() => hasPreview(client, id)))
    alone.push(await untilPlayable(client, id))
  }
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await uploadAndImport(client, service.demo.folder_id, bytes, 'film.mp4')
    together.push(await untilPlayable(client, id))
    await until(() => hasPreview(client, id))
  }
  return [
    ...rowsOf('imported to preview', previews),
    ...rowsOf('POST to first segment, with the preview there', alone),
    ...rowsOf('POST to first segment, with the preview being made', together),
  ]
}

async function hasPreview(client: Client, id: number): Promise<boolean> {
  const { status } = await client['get-sized-download-location']({ params: { id, size: '800px' } })
  if (status !== 200 && status !== 409) throw new Error(`the preview was answered with ${status}`)
  return status === 200
}

async function untilPlayable(client: Client, id: number): Promise<number> {
  const started = performance.now()
  const { status } = await client['create-stream']({ params: { id } })
  if (status !== 200) throw new Error(`the stream was answered with ${status}`)
  let url = ''
  await until(async () => {
    const answer = await client['get-stream-url']({ params: { id } })
    if (answer.status === 200) url = answer.body.Stream
    return url !== ''
  })
  await playFirstSegment(url)
  return performance.now() - started
}

/** Fetches what a player fetches before its first picture: the playlist, that of the first variant, its init section and a segment. */
async function playFirstSegment(url: string): Promise<void> {
  const variant = uriIn(await fetched(url), /^#EXT-X-STREAM-INF:.*\n(.+)$/m, url)
  const playlist = await fetched(variant)
  await fetched(uriIn(playlist, /^#EXT-X-MAP:URI="([^"]+)"/m, variant))
  await fetched(uriIn(playlist, /^#EXTINF:.*\n(?:#.*\n)*(.+)$/m, variant))
}

function uriIn(playlist: string, pattern: RegExp, base: string): string {
  const uri = pattern.exec(playlist)?.[1]
  if (uri === undefined) throw new Error(`the playlist ${base} names nothing to play`)
  return new URL(uri, base).href
}

async function fetched(url: string): Promise<string> {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`${url} was answered with ${response.status}`)
  return response.text()
}

/** Milliseconds until it holds. */
async function until(holds: () => Promise<boolean>): Promise<number> {
  const started = performance.now()
  while (!(await holds())) {
    if (performance.now() - started > MAX_WAIT_MS) throw new Error(`nothing came within ${MAX_WAIT_MS / 1000} s`)
    await sleep(LOOK)
  }
  return performance.now() - started
}

function rowsOf(what: string, times: readonly number[]): Row[] {
  const sorted = times.toSorted((a, b) => a - b)
  return [
    { what: `${what}, p50`, value: percentile(sorted, 0.5) / 1000, unit: 's' },
    { what: `${what}, longest`, value: sorted.at(-1)! / 1000, unit: 's' },
  ]
}
