import type { Command } from 'commander'
import { type Surroundings, signedIn } from '../command.ts'

export function whoamiCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('whoami')
    .description('who is signed in, and where')
    .action(
      signedIn(surroundings, async ({ library, profile: { url }, output }) => {
        const user = await library.get('/whoami')
        output.line({ url, ...user }, `${user.username} (${user.fullname}) at ${url}`)
      }),
    )
}
