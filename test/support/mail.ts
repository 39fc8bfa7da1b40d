import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { elsewhere, emulator, type Service } from './service.ts'

/** Options of a test that reads e-mails: skips it where the service runs elsewhere, but on the emulator, which tells them. */
export const mailOutOfReach = emulator === undefined ? elsewhere : {}

/** What the emulator tells of the e-mails it was given. */
interface EmulatedMail {
  messages: Record<string, { To: string[]; BodyText: string }[]>
}

/** How long an e-mail may be on its way, in milliseconds: a job sends it. */
const PATIENCE = 60_000

/** The texts of all e-mails to an address, once there are so many. @throws Error when they don't come */
export async function mailsTo(address: string, { directory }: Pick<Service, 'directory'>, count: number): Promise<string[]> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(50)) {
    const texts = directory ? await written(join(directory, 'mail'), address) : await emulated(address)
    if (texts.length >= count) return texts
  }
  throw new Error(`no ${count} e-mails went to ${address}`)
}

/** The text of the last e-mail to an address, of which there is at least one. */
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
