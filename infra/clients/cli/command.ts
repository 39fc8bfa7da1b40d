import type { Writable } from 'node:stream'
import type { Command } from 'commander'
import { type MediaLibrary, MediaLibraryError, withToken } from '../client/client.ts'
import { PATIENT_TRIES } from '../client/retries.ts'
import { Output } from './output.ts'
import { currentProfile, type Profile } from './profile.ts'

/** The surroundings of the command line. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv
  /** Writes a line to standard output. */
  out(line: string): void
  /** Standard output, for bytes. Nothing else is written to it then. */
  bytes: Writable
  /** Writes a line to standard error. */
  error(line: string): void
  /** All of standard input. */
  readInput(): Promise<string>
  /** Standard error, where it is a terminal. */
  terminal: NodeJS.WriteStream | undefined
  /** Aborted when the user interrupts the command. */
  signal: AbortSignal
}

/** Dependencies of a command. */
export interface Session {
  library: MediaLibrary
  /** The same for transfers: retries longer while the network is down. */
  transfers: MediaLibrary
  profile: Profile
  output: Output
  surroundings: Surroundings
}

interface GlobalOptions {
  json?: boolean
  profile: string
}

/** The output and the name of the profile that a command was given. */
export function globalsOf(surroundings: Surroundings, command: Command): { output: Output; profileName: string } {
  const { json = false, profile } = command.optsWithGlobals<GlobalOptions>()
  return { output: new Output(json, surroundings.out, surroundings.error), profileName: profile }
}

/** Makes an action for commander that needs a sign-in. */
export function signedIn<Options extends object = object>(
  surroundings: Surroundings,
  work: (session: Session, args: readonly string[], options: Options) => Promise<void>,
): (...args: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command
    const { output, profileName } = globalsOf(surroundings, command)
    const profile = await currentProfile(surroundings.environment, profileName)
    const libraryWith = (tries?: number) => withToken({ ...profile, ...(tries !== undefined && { tries }) }, profile.token)
    const session = { library: libraryWith(), transfers: libraryWith(PATIENT_TRIES), profile, output, surroundings }
    await work(session, command.args, command.opts<Options>())
  }
}

/** @returns undefined where the service has no such thing */
export async function unlessMissing<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof MediaLibraryError && error.status === 404) return undefined
    throw error
  }
}
