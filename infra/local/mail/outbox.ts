import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Email } from 'postal-mime'

/** An e-mail that the service wrote into its outbox (shared/backends/mail/embedded.ts), under the name of its file. */
export type SentMail = Email & { name: string }

/** Names as the service gives them; none leads out of the folder. */
const NAME = /^\w[\w.-]{0,150}\.eml$/
/** Most bytes of a file that are read. The service's own e-mails have a few thousand. */
const MOST_BYTES = 256 * 1024

/** The newest e-mails, at most `count`. */
export async function newestMails(folder: string, count: number): Promise<SentMail[]> {
  // The folder is made with the first e-mail, and names begin with the time.
  const names = (await readdir(folder).catch(unlessMissing)) ?? []
  const newest = names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
    .slice(0, count)
  const mails = await Promise.all(newest.map((name) => readMail(folder, name)))
  return mails.filter((mail) => mail !== undefined)
}

/** One e-mail by the name of its file; undefined where there is none, or something else that somebody put there. */
export async function readMail(folder: string, name: string): Promise<SentMail | undefined> {
  if (!NAME.test(name)) return undefined
  await using file = await open(join(folder, name)).catch(unlessMissing)
  const found = await file?.stat()
  if (!file || !found?.isFile()) return undefined
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(found.size, MOST_BYTES)))
  // Loaded when somebody looks: the server starts without it.
  const { default: PostalMime } = await import('postal-mime')
  const parsed = await PostalMime.parse(buffer.subarray(0, bytesRead)).catch(() => undefined)
  return parsed && { ...parsed, name }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
