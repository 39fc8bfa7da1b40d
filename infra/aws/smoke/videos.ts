import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { setStreaming } from '../../../shared/library/accounts/companies.ts'
import type { OperatorActor } from '../../../shared/library/actor.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { OpenLibrary } from '../../homes/open-library.ts'
import { type Client, succeeded } from './visit.ts'

const by: OperatorActor = { kind: 'operator', command: 'smoke-test' }

/** The facts of the video. */
export const VIDEO = { type: 'video', width: 320, height: 180 } as const

/** Pause before another look, in milliseconds. */
const PAUSE = 1_000

/** A second of video with sound (`video.mp4`), which a box with random contents makes unlike any other file. */
export async function video(): Promise<Uint8Array<ArrayBuffer>> {
  const made = await readFile(new URL('video.mp4', import.meta.url))
  const random = randomBytes(16)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(8 + random.length)
  return new Uint8Array(Buffer.concat([made, size, Buffer.from('free'), random]))
}

/** Lets a company have streams. */
export async function enableStreaming({ table, clock }: Pick<OpenLibrary, 'table' | 'clock'>, company: CompanyId): Promise<void> {
  await setStreaming({ table, clock, by }, company, true)
}

/** Waits until a video has a preview. @throws Error unless it can be downloaded as MP4 */
export async function previewed(client: Client, id: number, init: RequestInit): Promise<void> {
  for (;;) {
    const answer = await client['get-sized-download-location']({ params: { id, size: '800px' }, init })
    if (answer.status !== 409) return isMp4(await fetched(succeeded(answer).url, init))
    await pause(PAUSE, undefined, signalOf(init))
  }
}

function isMp4(bytes: Buffer): void {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') throw new Error(`${bytes.length} bytes came, which are no MP4`)
}

/** Asks for the stream of a video and waits until it is there. @returns the URL of its playlist */
export async function streamed(client: Client, id: number, init: RequestInit): Promise<string> {
  succeeded(await client['create-stream']({ params: { id }, init }))
  for (;;) {
    const answer = await client['get-stream-url']({ params: { id }, init })
    if (answer.status !== 404) return succeeded(answer).Stream
    await pause(PAUSE, undefined, signalOf(init))
  }
}

/** Goes from a playlist to what it names, as players do. @throws Error unless the end is a segment of video */
export async function plays(playlist: string, init: RequestInit): Promise<void> {
  const size = await named(playlist, /^#EXT-X-STREAM-INF:[^\n]*\n(?<address>[^#\s]+)/m, init)
  const segment = await named(size, /^#EXTINF:[^\n]*\n(?:#[^\n]*\n)*(?<address>[^#\s]+)/m, init)
  if ((await fetched(segment, init)).length === 0) throw new Error(`${segment} is empty`)
}

/** The address that a playlist names first. */
async function named(playlist: string, pattern: RegExp, init: RequestInit): Promise<string> {
  const text = (await fetched(playlist, init)).toString('utf8')
  const address = pattern.exec(text.replaceAll('\r', ''))?.groups?.address
  if (!text.startsWith('#EXTM3U') || address === undefined) throw new Error(`${playlist} is no such playlist: ${text.slice(0, 300)}`)
  return new URL(address, playlist).href
}

/** Removes a video from its only folder, which deletes it, and waits until its stream answers 404. */
export async function unstreamed(
  client: Client,
  { folder, media, playlist }: { folder: number; media: number; playlist: string },
  init: RequestInit,
): Promise<void> {
  succeeded(await client['remove-media']({ params: { id: media, folderId: folder }, init }))
  for (;;) {
    const { status, body } = await fetch(playlist, init)
    await body?.cancel()
    if (status === 404) return
    if (status !== 200) throw new Error(`answered with ${status} instead of 404`)
    await pause(PAUSE, undefined, signalOf(init))
  }
}

/** @throws Error unless the host of the player shows it, and says how to embed it */
export async function showsPlayer(playerUrl: string, init: RequestInit): Promise<void> {
  const page = (await fetched(`${playerUrl}/`, init)).toString('utf8')
  if (!page.includes('<main id="player"')) throw new Error(`${playerUrl}/ is another page: ${page.slice(0, 300)}`)
  const { iframe } = JSON.parse((await fetched(`${playerUrl}/iframe.json`, init)).toString('utf8'))
  if (!String(iframe).includes(playerUrl)) throw new Error(`iframe.json says ${iframe}`)
}

/** @throws Error unless a URL is answered with 200 */
async function fetched(url: string, init: RequestInit): Promise<Buffer> {
  const answer = await fetch(url, init)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 200) throw new Error(`${url} is answered with ${answer.status}, ${bytes.toString('utf8', 0, 300)}`)
  return bytes
}

const signalOf = ({ signal }: RequestInit) => (signal ? { signal } : {})
