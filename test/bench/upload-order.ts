import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A file to upload: one on disk, or so many random bytes. */
export type Source = { path: string } | { bytes: number }

/** A folder of a library, with the value of the `Authorization` header, or an address to which files are posted and nothing else. */
export type Destination = { baseUrl: string; authorization: string; folderId: number } | { action: string }

/** What the uploading process (upload-client.ts) is told. */
export interface UploadOrder {
  to: Destination
  /** Taken in turn, from the first again after the last. */
  sources: Source[]
  /** Uploads at a time. */
  parallel: number
  /** Ends after so many uploads, or when no further one is started after so many seconds. */
  until: { uploads: number } | { seconds: number }
}

/** What it did. */
export interface Uploaded {
  uploads: number
  /** In the order in which they were accepted; none of an address. */
  mediaIds: number[]
  /** From the first registration to the last answer of a finalize URL. */
  seconds: number
  /** Milliseconds that each took from its registration to the answer of its finalize URL, in the order in which they ended. */
  durations: number[]
}

const program = fileURLToPath(new URL('./upload-client.ts', import.meta.url))

/** Uploads as an application does (register, post the form, follow to the finalize URL), in a process of its own. @throws Error when one fails */
export async function upload(order: UploadOrder): Promise<Uploaded> {
  const child = fork(program, { execArgv: [] })
  child.send(order)
  const { promise: uploaded, resolve, reject } = Promise.withResolvers<Uploaded>()
  child.once('message', (message) => resolve(message as Uploaded))
  child.once('exit', () => reject(new Error('the uploading process failed')))
  const result = await uploaded
  if (child.exitCode === null) await once(child, 'exit')
  return result
}
