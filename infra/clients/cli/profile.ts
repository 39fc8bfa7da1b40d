import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { exitCodes, Failure } from './exit-code.ts'
import { forgetToken, keepToken, keptToken } from './keychain.ts'

/** Somebody's sign-in at a service: the token, never the password. */
export interface Profile {
  url: string
  username: string
  token: string
  brand?: string
}

type Environment = NodeJS.ProcessEnv

/** Folder of the command line below one of XDG. */
export const xdgFolder = (environment: Environment, variable: 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME', otherwise: string): string =>
  join(environment[variable] || join(environment.HOME || homedir(), otherwise), 'media-library')

function pathOf(environment: Environment, name: string): string {
  if (!/^[\w.-]+$/.test(name) || name.startsWith('.')) throw new Failure(exitCodes.usage, `${name} is no name of a profile.`)
  return join(xdgFolder(environment, 'XDG_CONFIG_HOME', '.config'), `${name}.json`)
}

/** @returns undefined where nobody signed in */
export async function savedProfile(environment: Environment, name: string): Promise<Profile | undefined> {
  try {
    const saved: Omit<Profile, 'token'> & { token?: string } = JSON.parse(await readFile(pathOf(environment, name), 'utf8'))
    return { ...saved, token: saved.token ?? (await keptToken(name)) ?? '' }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Who a command works as: `MEDIA_LIBRARY_URL` and `MEDIA_LIBRARY_TOKEN` win over what a sign-in saved. @throws Failure where nobody signed in */
export async function currentProfile(environment: Environment, name: string): Promise<Profile> {
  const { MEDIA_LIBRARY_URL: url, MEDIA_LIBRARY_TOKEN: token, MEDIA_LIBRARY_BRAND: brand } = environment
  const saved = url && token ? undefined : await savedProfile(environment, name)
  const profile = { username: '', ...saved, ...(url && { url: addressOf(url) }), ...(token && { token }), ...(brand && { brand }) }
  if (!profile.url || !profile.token) throw new Failure(exitCodes.forbidden, 'Nobody is signed in. Run: media-library login URL')
  return { ...profile, url: profile.url, token: profile.token }
}

/** Keeps a sign-in in a file that only its user may read, and the token in the system's keychain, where there is one. */
export async function saveProfile(environment: Environment, name: string, { token, ...profile }: Profile): Promise<void> {
  const path = pathOf(environment, name)
  const isKept = await keepToken(name, token)
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify({ ...profile, ...(!isKept && { token }) })}\n`, { mode: 0o600 })
  await chmod(unfinished, 0o600)
  await rename(unfinished, path)
}

export async function removeProfile(environment: Environment, name: string): Promise<void> {
  await forgetToken(name)
  await rm(pathOf(environment, name), { force: true })
}

/** The address of a service as people write it. @throws Failure */
export function addressOf(text: string): string {
  const url = URL.parse?.(text.includes('://') ? text : `https://${text}`) ?? new URL(text.includes('://') ? text : `https://${text}`)
  if (!/^https?:$/.test(url.protocol)) throw new Failure(exitCodes.usage, `${text} is no address of a service.`)
  return url.origin
}
