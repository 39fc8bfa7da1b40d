import { api, dataOf, Refused } from '../api/client.ts'

/**
 * Sends a file by a form, which storage answers with a redirect that makes it a file of the library.
 * @param onProgress is told the bytes that have arrived
 * @returns the file's id @throws Refused, DOMException (AbortError)
 */
export async function sendForm(file: File, folder: number, signal: AbortSignal, onProgress: (bytes: number) => void): Promise<number> {
  const { action, fields } = await dataOf(api.POST('/upload/register', { body: { folder }, signal }))
  const form = new FormData()
  for (const { name, value } of fields) if (value !== undefined) form.append(name, value)
  form.append('file', file, file.name)
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
  request.send(form)
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
