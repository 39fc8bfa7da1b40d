import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Each begins a command that runs another one: without new rights, such as those of setuid programs, and without a network. */
const WAYS = [
  ['setpriv', '--no-new-privs'],
  ['unshare', '--map-current-user', '--net'],
]

/** Milliseconds that a trial may take. */
const PATIENCE = 10_000

let found: Promise<readonly string[]> | undefined

/**
 * How a command begins that runs another one without network and new rights, as far as this system lets it: Linux with util-linux, where users
 * may make namespaces. The process stays the same one, so it is ended as ever. Empty elsewhere.
 */
export function confinement(): Promise<readonly string[]> {
  found ??= Promise.all(WAYS.map(works)).then((all) => all.flat())
  return found
}

async function works([program, ...args]: readonly string[]): Promise<readonly string[]> {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' }
  return execute(program!, [...args, 'true'], { env, timeout: PATIENCE }).then(
    () => [program!, ...args],
    () => [],
  )
}
