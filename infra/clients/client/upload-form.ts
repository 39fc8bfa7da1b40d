import type { Calls } from './calls.ts'
import { formOf } from './form.ts'
import { errorOf, MediaLibraryError } from './media-library-error.ts'
import { retryingFetch } from './retries.ts'
import { type Sending, sendUntilTaken } from './send.ts'
import { targetOf, type UploadOptions, type UploadSource } from './upload-source.ts'

/** Field of the form: the address that makes a file of what was posted, again and again the same one. */
const FINALIZE = 'success_action_redirect'
/** Placeholder for the file's name in the key. Storage would put in the name as forms write it: with %22 for a quote. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: storage fills it in
const FILENAME = '${filename}'

/** Storage answers so when a form came too slowly (400, 408 of a proxy), and when something failed in itself. */
const PASSING = [400, 408, 500]

/** Uploads a file by a form. @returns the file's id @throws MediaLibraryError, the signal's reason */
export async function uploadByForm(
  calls: Pick<Calls, 'post'>,
  source: UploadSource & { name: string },
  options: UploadOptions,
  tries: number,
): Promise<number> {
  const { onProgress, onUnchanged, signal, resume, onBegin, through, inTurn = (send) => send() } = options
  const idOf = ({ media_id, unchanged }: Finalized) => {
    if (unchanged) onUnchanged?.()
    return media_id
  }
  const earlier = resume && (await finalized(resume, tries, signal))
  if (earlier) return idOf(earlier)
  const { action, fields } = await calls.post('/upload/register', { body: targetOf(options), signal: signal ?? null })
  const finalize = fields.find(({ name }) => name === FINALIZE)?.value ?? ''
  await onBegin?.(finalize)
  let tried = 0
  let made: Finalized | undefined
  const next = async (): Promise<Sending | undefined> => {
    // The answer to the first try may have been lost.
    made = tried++ > 0 ? await finalized(finalize, tries, signal) : undefined
    if (made) return undefined
    const file = await source.slice(0, source.size)
    const filled = fields.map(({ name, value = '' }) => ({
      name,
      value: name === 'key' ? value.replace(FILENAME, () => source.name) : value,
    }))
    // The fields of the form count as sent, too.
    const progress = onProgress && ((bytes: number) => onProgress(Math.min(bytes, source.size), source.size))
    return { method: 'POST', url: action, ...formOf(filled.slice(0, -1), source.name, file), signal, onProgress: progress, through }
  }
  let answer: string | undefined
  try {
    answer = await inTurn(() => sendUntilTaken(next, { tries, passes: PASSING }))
  } catch (error) {
    // Storage refuses a form that has become too old, as after a long pause.
    const isTooOld = tried > 1 && error instanceof MediaLibraryError && error.status === 403
    if (!isTooOld) throw error
    return uploadByForm(calls, source, { ...options, resume: undefined }, tries - tried + 1)
  }
  made ??= JSON.parse(answer ?? '{}') as Finalized
  onProgress?.(source.size, source.size)
  return idOf(made)
}

/** What the service says of the file that was made of an upload. */
interface Finalized {
  media_id: number
  unchanged?: boolean
}

/**
 * @returns the file that was made of an upload; undefined where nothing was posted, or too long ago
 * @throws MediaLibraryError 409 `quota_exceeded` where there is no room for what was posted: the service holds it, and another copy would be another file
 */
async function finalized(url: string, tries: number, signal: AbortSignal | undefined): Promise<Finalized | undefined> {
  const response = await retryingFetch(tries)(new Request(url, signal && { signal })).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw new MediaLibraryError(0, { code: 'network', message: "The service can't be reached." }, { cause: error })
  })
  if (response.ok) return (await response.json()) as Finalized
  const error = errorOf(response.status, await response.text())
  if (error.code === 'quota_exceeded') throw error
  return undefined
}
