import { setTimeout as sleep } from 'node:timers/promises'
import type { endpoints } from '../../functions/endpoints.ts'
import type { ApiClient } from '../../shared/http/declaration/client.ts'
import { postUploadForm } from '../../shared/http/declaration/client.ts'

type Client = ApiClient<typeof endpoints>
type Form = Awaited<ReturnType<Client['register-upload']>>['body']

type PartUrls = Awaited<ReturnType<Client['get-part-urls']>>['body']['urls']

/** Posts a file with an upload form, as a browser does. Redirects are not followed. */
export function postForm(form: Form, bytes: Uint8Array, filename: string): Promise<Response> {
  return postUploadForm(form, { bytes: new Uint8Array(bytes), filename }, { redirect: 'manual' })
}

/** Registers, posts and finalizes a file. @returns its id while it is being imported */
export async function upload(client: Client, folder: number, bytes: Uint8Array, filename: string): Promise<number> {
  return finalized(await client['register-upload']({ body: { folder } }), bytes, filename)
}

/** The same in place of a file. @returns its id, while what was sent is being imported */
export async function replace(client: Client, id: number, bytes: Uint8Array, filename: string): Promise<number> {
  return finalized(await client['register-upload']({ body: { replaces: id } }), bytes, filename)
}

async function finalized(registered: Awaited<ReturnType<Client['register-upload']>>, bytes: Uint8Array, filename: string): Promise<number> {
  if (registered.status !== 200) throw new Error(`registering: ${registered.status} ${JSON.stringify(registered.body)}`)
  const posted = await postForm(registered.body, bytes, filename)
  if (posted.status !== 303) throw new Error(`posting: ${posted.status} ${await posted.text()}`)
  const answer = await fetch(posted.headers.get('location')!)
  if (answer.status !== 200) throw new Error(`finalizing: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { media_id: number }).media_id
}

/** Puts bytes in parts. @param partBytes of each but the last one @param numbers of the parts, in the order in which to send them; all of them by default */
export async function putParts(client: Client, uploadId: string, partBytes: number, bytes: Uint8Array, numbers?: number[]): Promise<void> {
  const all = Array.from({ length: Math.max(1, Math.ceil(bytes.length / partBytes)) }, (_, index) => index + 1)
  const asked = await client['get-part-urls']({ params: { uploadId }, body: { parts: numbers ?? all } })
  if (asked.status !== 200) throw new Error(`asking for URLs: ${asked.status} ${JSON.stringify(asked.body)}`)
  await putPartsTo(asked.body.urls, partBytes, bytes)
}

/** Puts bytes to the URLs of parts. @param partBytes of each but the last one */
export async function putPartsTo(urls: PartUrls, partBytes: number, bytes: Uint8Array): Promise<void> {
  for (const { part, method, url, headers } of urls) {
    const body = new Uint8Array(bytes.subarray((part - 1) * partBytes, part * partBytes))
    const put = await fetch(url, { method, headers, body })
    if (put.status !== 200) throw new Error(`putting part ${part}: ${put.status} ${await put.text()}`)
  }
}

/** Longest import in tests, in milliseconds. The first import starts the worker and its tools. */
const LONGEST_IMPORT = 300_000
/** Longest pause between two looks at an import, in milliseconds. They grow: each look takes the processors from the import. */
const LONGEST_PAUSE = 500

/** Follows an import to its end. @returns the media document */
export async function imported(client: Client, id: number) {
  const deadline = performance.now() + LONGEST_IMPORT
  for (let pause = 20; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
    const answer = await client['get-media']({ params: { id } })
    if (answer.status === 200) return answer.body
    if (answer.status !== 202) throw new Error(`importing: ${answer.status} ${JSON.stringify(answer.body)}`)
    if (performance.now() > deadline) throw new Error(`importing ${id} took too long: ${JSON.stringify(answer.body)}`)
    await sleep(pause)
  }
}

/** Uploads a file and waits until it is available. @returns the media document */
export async function uploadAndImport(client: Client, folder: number, bytes: Uint8Array, filename: string) {
  return imported(client, await upload(client, folder, bytes, filename))
}

/** Replaces a file and waits until the new one is its current one. @returns the number of the one before */
export async function replaceAndImport(client: Client, id: number, bytes: Uint8Array, filename: string): Promise<number> {
  const numberNow = async () => (await client['get-media']({ params: { id } })).body.file_number
  const before = await numberNow()
  await replace(client, id, bytes, filename)
  const deadline = performance.now() + LONGEST_IMPORT
  for (let pause = 20; (await numberNow()) === before; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
    if (performance.now() > deadline) throw new Error(`replacing ${id} took too long`)
    await sleep(pause)
  }
  return before
}
