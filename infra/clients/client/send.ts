import { errorOf, failureOf, MediaLibraryError } from './media-library-error.ts'
import { pause, retryAfter } from './retries.ts'
import type { Through } from './upload-source.ts'

export interface Sending {
  method: 'POST' | 'PUT'
  url: string
  headers?: Record<string, string>
  body: Blob | Uint8Array<ArrayBuffer>
  signal: AbortSignal | undefined
  /** Is told how many bytes of the body were sent: in browsers while they are, elsewhere at the end alone. */
  onProgress?: ((bytes: number) => void) | undefined
  through?: Through | undefined
}

/** The parts of `XMLHttpRequest` that are used: the client is checked without the types of browsers. */
interface Xhr {
  upload: { onprogress: (event: { loaded: number }) => void }
  status: number
  responseText: string
  onload(): void
  onerror(): void
  onabort(): void
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: Sending['body']): void
  abort(): void
}
declare const XMLHttpRequest: (new () => Xhr) | undefined

interface Answer {
  status: number
  text: string
  retryAfter: string | null
}

/**
 * Sends a file or a part of it to storage, once. Redirects are followed.
 * @returns the text of the answer @throws MediaLibraryError, which tells in `retryAfter` whether another try may succeed; the signal's reason
 */
async function sendOnce(sending: Sending): Promise<Answer> {
  sending.signal?.throwIfAborted()
  try {
    return typeof XMLHttpRequest === 'undefined' ? await byFetch(sending) : await byXhr(XMLHttpRequest, sending)
  } catch (error) {
    sending.signal?.throwIfAborted()
    throw failureOf(error)
  }
}

/**
 * Sends until storage takes it.
 * @param next makes what is sent by each try; undefined where nothing is left to send
 * @param passes whether an error of storage passes, besides those that always do
 * @returns the answer's text @throws MediaLibraryError, the signal's reason
 */
export async function sendUntilTaken(
  next: () => Promise<Sending | undefined>,
  { tries, passes }: { tries: number; passes: readonly number[] },
): Promise<string | undefined> {
  for (let tried = 1; ; tried++) {
    const sending = await next()
    if (!sending) return undefined
    let atLeast: number | undefined = 0
    let failure: unknown
    try {
      const answer = await sendOnce(sending)
      if (answer.status === 200) return answer.text
      atLeast = retryAfter(answer, tried) ?? (passes.includes(answer.status) ? 0 : undefined)
      failure = errorOf(answer.status, answer.text)
    } catch (error) {
      if (!(error instanceof MediaLibraryError)) throw error
      failure = error
    }
    sending.onProgress?.(0)
    if (tried === tries || atLeast === undefined) throw failure
    await pause(tried, atLeast, sending.signal)
  }
}

/** A blob whose bytes pass through something while they are sent. Unlike a stream it tells its length, and can be sent again after a redirect. */
class PassedBlob extends Blob {
  readonly #through: Through

  constructor(content: Sending['body'], through: Through) {
    super([content])
    this.#through = through
  }

  override stream() {
    return this.#through(super.stream())
  }
}

async function byFetch({ method, url, headers = {}, body: content, signal, through }: Sending): Promise<Answer> {
  const body = through ? new PassedBlob(content, through) : content
  const response = await fetch(url, { method, headers, body, ...(signal && { signal }) })
  return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') }
}

/** `fetch` tells nothing of how far it is. */
function byXhr(Request: new () => Xhr, { method, url, headers = {}, body, signal, onProgress }: Sending): Promise<Answer> {
  const request = new Request()
  const abort = () => request.abort()
  signal?.addEventListener('abort', abort, { once: true })
  const answered = new Promise<Answer>((resolve, reject) => {
    request.upload.onprogress = ({ loaded }) => onProgress?.(loaded)
    request.onload = () =>
      resolve({ status: request.status, text: request.responseText, retryAfter: request.getResponseHeader('retry-after') })
    request.onerror = () => reject(new TypeError('the connection failed'))
    request.onabort = () => reject(signal?.reason)
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(body)
  })
  return answered.finally(() => signal?.removeEventListener('abort', abort))
}
