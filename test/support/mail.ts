import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { elsewhere, emulator, type Service } from './service.ts'

/** For the `skip` of a test that reads e-mails: why it can't, where that is so. */
export const mailOutOfReach = emulator === undefined && elsewhere

/** What the emulator tells of the e-mails it was given. */
interface EmulatedMail {
  messages: Record<string, { To: string[]; BodyText: string }[]>
}

/** The text of the last e-mail to an address. @throws Error when there is none */
export async function mailTo(address: string, { directory }: Pick<Service, 'directory'>): Promise<string> {
  const texts = directory ? await written(join(directory, 'mail'), address) : await emulated(address)
  const last = texts.at(-1)
  if (last === undefined) throw new Error(`no e-mail went to ${address}`)
  return last
}

async function written(folder: string, address: string): Promise<string[]> {
  const names = (await readdir(folder)).sort()
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
