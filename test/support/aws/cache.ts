import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where engines are kept between runs, outside the checkout because CI works on fresh clones. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'media-library')
}
