import type { Command } from 'commander'
import { MediaLibraryError, withToken } from '../../client/client.ts'
import { globalsOf, type Surroundings } from '../command.ts'
import { currentProfile, removeProfile } from '../profile.ts'

export function logoutCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('logout')
    .description('end the token')
    .action(async (_options: object, command: Command) => {
      const { output, profileName } = globalsOf(surroundings, command)
      const profile = await currentProfile(surroundings.environment, profileName)
      try {
        await withToken(profile, profile.token).signOut()
      } catch (error) {
        // The token has ended already.
        if (!(error instanceof MediaLibraryError && error.status === 401)) throw error
      }
      await removeProfile(surroundings.environment, profileName)
      output.line({ url: profile.url, signed_out: true }, `signed out at ${profile.url}`)
    })
}
