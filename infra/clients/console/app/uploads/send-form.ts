import { api, dataOf, type Schemas } from '../api/client.ts'
import { Refused } from '../api/refused.ts'

/** A form that was registered for a file. All tries of the file use it, so that they make one file together. */
export type Form = Schemas['UploadForm']

/** Field of a form: the address that makes a file of what was posted, again and again the same one. */
const FINALIZE = 'success_action_redirect'

export interface FormOptions {
  /** Of an earlier try. */
  form: Form | undefined
  signal: AbortSignal
  onBegin(form: Form): void
  /** Is told the bytes that have arrived. */
  onProgress(bytes: number): void
}

/**
 * Sends a file by a form, which storage answers with a redirect that makes it a file of the library.
 * @returns the file's id @throws Refused, DOMException (AbortError)
 */
export async function sendForm(file: File, folder: number, { form: earlier, signal, onBegin, onProgress }: FormOptions): Promise<number> {
  if (earlier) {
    // The answer to the try before may have been lost.
    const made = await finalized(earlier, signal)
    if (made !== undefined) return made
    try {
      return await post(file, earlier, signal, onProgress)
    } catch (failure) {
      // Storage refuses a form that is too old, as after a long pause.
      if (!(failure instanceof Refused && failure.status === 403)) throw failure
    }
  }
  const form = await dataOf(api.POST('/upload/register', { body: { folder }, signal }))
  onBegin(form)
  return post(file, form, signal, onProgress)
}

/** The file that was made of what was posted; undefined where nothing was. @throws Refused */
async function finalized({ fields }: Form, signal: AbortSignal): Promise<number | undefined> {
  const address = fields.find(({ name }) => name === FINALIZE)?.value ?? ''
  const response = await fetch(address, { signal }).catch((failure: unknown) => {
    if (signal.aborted) throw failure
    throw new Refused(0, {})
  })
  const answer = parsed(await response.text().catch(() => ''))
  if (response.ok) return answer.media_id
  // What was posted waits for room: another copy would be another file.
  if (answer.code === 'quota_exceeded') throw new Refused(response.status, { ...answer })
  return undefined
}

function post(file: File, { action, fields }: Form, signal: AbortSignal, onProgress: (bytes: number) => void): Promise<number> {
  const body = new FormData()
  for (const { name, value } of fields) if (value !== undefined) body.append(name, value)
  body.append('file', file, file.name)
  // fetch() tells nothing of how far it is.
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? (loaded / total) * file.size : 0)
  request.onload = () => {
    const answer = parsed(request.responseText)
    if (request.status === 200 && answer.media_id !== undefined) resolve(answer.media_id)
    else reject(new Refused(request.status, { ...answer }))
  }
  request.onerror = () => reject(new Refused(0, {}))
  request.onabort = () => reject(new DOMException('', 'AbortError'))
  signal.addEventListener('abort', () => request.abort(), { once: true })
  request.open('POST', action)
  request.send(body)
  return promise
}

/** Storage answers with XML. */
function parsed(text: string): { media_id?: number; message?: string; code?: string } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
