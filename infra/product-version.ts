import { readFileSync } from 'node:fs'

/** Version of this program. */
export function productVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}
