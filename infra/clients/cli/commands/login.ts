import { password as askPassword, text as askText, isCancel } from '@clack/prompts'
import type { Command } from 'commander'
import { signIn } from '../../client/client.ts'
import { globalsOf, type Surroundings } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { addressOf, savedProfile, saveProfile } from '../profile.ts'

interface Options {
  username?: string
  passwordStdin?: boolean
  brand?: string
}

/** `login`: keeps a token. The password comes from a prompt, standard input or the environment, never from an argument. */
export function loginCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('login')
    .description('sign in; later commands work as this user')
    .argument('[URL]', 'address of the service')
    .option('-u, --username <name>')
    .option('--password-stdin', 'read the password from standard input')
    .option('--brand <name>', "the operator's, where the service has one of its own")
    .addHelpText('after', '\nMEDIA_LIBRARY_USERNAME and MEDIA_LIBRARY_PASSWORD may say the same.')
    .action(async (given: string | undefined, { username, passwordStdin, brand }: Options, command: Command) => {
      const { environment } = surroundings
      const { output, profileName } = globalsOf(surroundings, command)
      const earlier = await savedProfile(environment, profileName)
      const address = given ?? environment.MEDIA_LIBRARY_URL ?? earlier?.url ?? (await ask(surroundings, 'Address of the service'))
      const url = addressOf(address)
      const name = username ?? environment.MEDIA_LIBRARY_USERNAME ?? (await ask(surroundings, 'Username'))
      const password = passwordStdin
        ? (await surroundings.readInput()).replace(/\r?\n$/, '')
        : environment.MEDIA_LIBRARY_PASSWORD || (await ask(surroundings, 'Password', true))
      const service = { url, ...(brand !== undefined && { brand }) }
      const { token } = await signIn(service, { username: name, password })
      await saveProfile(environment, profileName, { ...service, username: name, token: token ?? '' })
      output.line({ url, username: name }, `signed in at ${url} as ${name}`)
    })
}

async function ask({ terminal }: Surroundings, message: string, isSecret = false): Promise<string> {
  const missing = isSecret ? 'Give --password-stdin or MEDIA_LIBRARY_PASSWORD.' : `${message} is missing.`
  if (!terminal || !process.stdin.isTTY) throw new Failure(exitCodes.usage, missing)
  const answer = await (isSecret ? askPassword : askText)({ message, output: terminal })
  if (isCancel(answer)) throw new Failure(exitCodes.interrupted, 'Nobody was signed in.')
  return answer
}
