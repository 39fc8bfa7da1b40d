import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from 'postal-mime'

/** An e-mail that the service wrote into its outbox (shared/backends/mail/embedded.ts). */
export interface SentMail {
  /** Of its file. */
  name: string
  from: string
  to: string
  subject: string
  /** UTC, ISO 8601. */
  date: string
  headers: readonly { name: string; value: string }[]
  text: string
  html: string
}

/** Names as the service gives them; none leads out of the folder. */
const NAME = /^\w[\w.-]{0,150}\.eml$/
/** Most bytes of a file that are read. The service's own e-mails have a few thousand. */
const MOST_BYTES = 256 * 1024

/** The newest e-mails, at most `count`. */
export async function newestMails(folder: string, count: number): Promise<SentMail[]> {
  // The names begin with the time.
  const names = (await namesIn(folder)).sort().reverse().slice(0, count)
  const mails = await Promise.all(names.map((name) => readMail(folder, name)))
  return mails.filter((mail) => mail !== undefined)
}

/** One e-mail by the name of its file; undefined where there is none, or something else that somebody put there. */
export async function readMail(folder: string, name: string): Promise<SentMail | undefined> {
  const bytes = NAME.test(name) ? await readStart(join(folder, name)) : undefined
  if (!bytes) return undefined
  // Loaded when somebody looks: the server starts without it.
  const { default: PostalMime } = await import('postal-mime')
  const parsed = await PostalMime.parse(bytes).catch(() => undefined)
  if (!parsed) return undefined
  const { from, to, subject = '', date = '', headers, text = '', html = '' } = parsed
  return {
    name,
    from: from ? addressText(from) : '',
    to: (to ?? []).map(addressText).join(', '),
    subject,
    date,
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    text,
    html,
  }
}

/** None where nothing was sent yet: the folder is made with the first e-mail. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => NAME.test(name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function readStart(path: string): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(path)
    const buffer = Buffer.alloc(Math.min((await file.stat()).size, MOST_BYTES))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EISDIR') return undefined
    throw error
  }
}

function addressText({ name, address }: Address): string {
  return [name, address && `<${address}>`].filter(Boolean).join(' ')
}
