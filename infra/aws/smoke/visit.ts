import { setTimeout as pause } from 'node:timers/promises'
import type { endpoints as allEndpoints } from '../../../functions/endpoints.ts'
import type { ApiClient } from '../../../shared/http/declaration/client.ts'
import { postUploadForm } from '../../../shared/http/declaration/client.ts'
import { applicationHmac } from '../../../shared/library/accounts/hmac.ts'
import type { Visitor } from './accounts.ts'

/** The operations of the interface that the test calls. */
export type Client = Pick<
  ApiClient<typeof allEndpoints>,
  | 'check-health'
  | 'sign-in'
  | 'create-folder'
  | 'register-upload'
  | 'get-media'
  | 'search-media'
  | 'search-stock'
  | 'set-title'
  | 'get-download-location'
  | 'get-sized-download-location'
  | 'create-stream'
  | 'get-stream-url'
  | 'create-zip'
  | 'get-zip'
  | 'copy-media'
  | 'get-link'
  | 'remove-media'
>

/** Pause before another try, in milliseconds. */
const PAUSE = 500

/** The body of an answer with 200. @throws Error that quotes any other answer */
export function succeeded<T extends { status: number; body: unknown }>(answer: T): T['body'] {
  if (answer.status !== 200) throw new Error(`answered with ${answer.status}, ${textOf(answer.body)}`)
  return answer.body
}

function textOf(body: unknown): string {
  return (body instanceof Uint8Array ? new TextDecoder().decode(body) : JSON.stringify(body)).slice(0, 300)
}

/** Waits until the API answers, for half a minute: the name of a new host takes a while to spread. */
export async function untilHealthy(client: Client, init: RequestInit): Promise<void> {
  for (let tries = 1; ; tries++) {
    const answer = await client['check-health']({ init }).catch((error: Error) => ({ status: 0, body: error.message }))
    if (answer.status === 200) return
    if (tries === 60) succeeded(answer)
    await pause(PAUSE, undefined, signalOf(init))
  }
}

/** @returns value of the Authorization header */
export async function signIn(client: Client, brand: string, visitor: Visitor, init: RequestInit): Promise<string> {
  const { username, password, key, secret } = visitor
  const ts = Math.floor(Date.now() / 1000)
  const body = { username, password, key, ts, hmac: applicationHmac(secret, key, ts) }
  const { token } = succeeded(await client['sign-in']({ body, init }))
  return `${brand}-SIMPLE-TOKEN Token=${token}`
}

/** Posts a file with an upload form and follows the redirect that finalizes it. @returns the file's id */
export async function upload(
  client: Client,
  { folder, ...file }: { folder: number; bytes: Uint8Array<ArrayBuffer>; filename: string },
  init: RequestInit,
): Promise<number> {
  const form = succeeded(await client['register-upload']({ body: { folder }, init }))
  const posted = await postUploadForm(form, file, init)
  const text = await posted.text()
  if (!posted.ok) throw new Error(`${new URL(posted.url).host} answered with ${posted.status}, ${text.slice(0, 300)}`)
  return (JSON.parse(text) as { media_id: number }).media_id
}

/** Waits until a file is imported. @throws Error unless it is imported as what it is */
export async function imported(
  client: Client,
  id: number,
  expected: { type: string; width: number; height: number },
  init: RequestInit,
): Promise<void> {
  for (;;) {
    const answer = await client['get-media']({ params: { id }, init })
    if (answer.status !== 202) {
      const { type, width, height } = succeeded(answer)
      if (type === expected.type && width === expected.width && height === expected.height) return
      throw new Error(`it was imported as ${type}, ${width} x ${height} pixels. The log of import-media says why.`)
    }
    await pause(PAUSE, undefined, signalOf(init))
  }
}

/** Milliseconds that searches may be without an index: one of many files is built, or an engine without traffic gets capacity. */
const LONGEST_WITHOUT_INDEX = 120_000

/** The answer of a search once there is an index. @throws Error when there is none in time */
export async function indexed<T extends { status: number; body: unknown }>(
  search: () => Promise<T>,
  init: RequestInit,
  maxWaitMs = LONGEST_WITHOUT_INDEX,
): Promise<T['body']> {
  const deadline = Date.now() + maxWaitMs
  for (;;) {
    const answer = await search()
    const { body } = answer
    const isBuilding = typeof body === 'object' && body !== null && 'code' in body && body.code === 'search_index_building'
    if (!isBuilding) return succeeded(answer)
    if (Date.now() >= deadline) throw new Error('searches have no index. That of OpenSearch is made by the command "search rebuild".')
    await pause(PAUSE, undefined, signalOf(init))
  }
}

/** Waits until a search finds a file by its name: on AWS that takes seconds. */
export async function found(client: Client, filename: string, init: RequestInit): Promise<void> {
  const [word = ''] = filename.split('.')
  for (;;) {
    const { response } = await indexed(() => client['search-media']({ query: { q: word, return_values: 'filename' }, init }), init)
    if (response.media.some((each) => each.filename === filename)) return
    await pause(PAUSE, undefined, signalOf(init))
  }
}

/** Waits until a folder is zipped. @returns the URL of the archive */
export async function zipped(client: Client, folder: number, init: RequestInit): Promise<string> {
  let job = succeeded(await client['create-zip']({ params: { id: folder }, init }))
  while (job.state === 'PENDING') {
    await pause(PAUSE, undefined, signalOf(init))
    job = succeeded(await client['get-zip']({ params: { job_id: job.job_id }, init }))
  }
  if (job.url === null) throw new Error(`it ended as ${job.state}. The log of build-zip says why.`)
  return job.url
}

/** @throws Error unless a URL delivers bytes that contain these */
export async function delivers(url: string, bytes: Buffer, init: RequestInit): Promise<void> {
  const answer = await fetch(url, init)
  const delivered = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 200) throw new Error(`answered with ${answer.status}, ${delivered.toString('utf8', 0, 300)}`)
  if (!delivered.includes(bytes)) throw new Error(`${delivered.length} bytes came, and what was expected is not among them`)
}

/** @throws Error unless a URL is answered with 403 */
export async function refused(url: string, init: RequestInit): Promise<void> {
  const { status } = await fetch(url, { ...init, redirect: 'manual' })
  if (status !== 403) throw new Error(`answered with ${status} instead of 403`)
}

/** A signed URL with one character of its signature changed. */
export function tampered(url: string): string {
  const [, before, signature] = /^(.*[?&]Signature=)([^&]+)/.exec(url) ?? []
  if (before === undefined || signature === undefined) throw new Error(`${new URL(url).host} is sent no signature`)
  const at = Math.floor(signature.length / 2)
  const changed = `${signature.slice(0, at)}${signature[at] === 'A' ? 'B' : 'A'}${signature.slice(at + 1)}`
  return before + changed + url.slice(before.length + signature.length)
}

/** A signed URL without its query. */
export function unsigned(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

const signalOf = ({ signal }: RequestInit) => (signal ? { signal } : {})
