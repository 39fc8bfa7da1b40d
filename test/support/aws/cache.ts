import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where engines are kept between runs, outside the checkout because CI works on fresh clones. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'media-library')
}

/**
 * A folder of the cache, filled at the first call. It is filled beside its place and renamed, so that it is whole when it is there, also
 * when two runs fill it at once.
 *
 * @param name what it holds, with its version
 * @returns its path
 * @throws what `fill` throws; nothing stays then
 */
export async function keptInCache(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const home = join(cacheFolder(), name)
  if (existsSync(home)) return home
  await mkdir(cacheFolder(), { recursive: true })
  const filling = await mkdtemp(`${home}-`)
  try {
    await fill(filling)
    await rename(filling, home)
  } catch (error) {
    // Another run was faster: a full folder can't be replaced by a rename.
    if (!existsSync(home)) throw error
  } finally {
    await rm(filling, { recursive: true, force: true })
  }
  return home
}
