import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { elsewhere, emulator, type Service } from './service.ts'

/** Options of a test that reads e-mails. They skip it where the service runs elsewhere, except on the emulator, which lists its e-mails. */
export const mailOutOfReach = emulator === undefined ? elsewhere : {}

/** How the emulator lists an e-mail. */
interface EmulatedMail {
  messages: Record<string, { To: string[]; BodyText: string }[]>
}

/** Longest time until a job has sent an e-mail, in milliseconds. */
const MAX_WAIT_MS = 300_000

/** Waits for a number of e-mails to an address. @returns their texts @throws Error when fewer come */
export async function mailsTo(address: string, { directory }: Pick<Service, 'directory'>, count: number): Promise<string[]> {
  for (const end = performance.now() + MAX_WAIT_MS; performance.now() < end; await sleep(50)) {
    const texts = directory ? await written(join(directory, 'mail'), address) : await emulated(address)
    if (texts.length >= count) return texts
  }
  throw new Error(`no ${count} e-mails went to ${address}`)
}

/** Waits for an e-mail to an address. @returns the text of the last one */
export async function mailTo(address: string, service: Pick<Service, 'directory'>): Promise<string> {
  return (await mailsTo(address, service, 1)).at(-1)!
}

async function written(folder: string, address: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))))
  return mails.filter(({ to }) => to?.some((recipient) => recipient.address === address)).map(({ text }) => text ?? '')
}

async function emulated(address: string): Promise<string[]> {
  const { messages } = (await (await fetch(`${emulator}/_ministack/ses/messages`)).json()) as EmulatedMail
  return Object.values(messages)
    .flat()
    .filter(({ To }) => To.includes(address))
    .map(({ BodyText }) => BodyText)
}
