import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { builtConsole } from '../../clients/console/built.ts'
import type { Bundles } from './bundle.ts'
import { CONSOLE_DIRECTORY } from './entries.ts'

/** Puts the built console into the package of the function that stores it in the public bucket. */
export async function packageConsole(bundles: Bundles): Promise<void> {
  await cp(await builtConsole(), join(bundles.directory('prepare-buckets'), CONSOLE_DIRECTORY), { recursive: true })
}
