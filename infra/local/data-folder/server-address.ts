import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { writeWhole } from '../../../shared/backends/disk/whole-file.ts'
import { isServed } from './lock.ts'

const fileIn = (directory: string) => join(directory, 'server.json')

const Kept = z.object({
  /** Under which clients reach the server, without trailing slash. */
  base_url: z.string(),
  /** Whether the operator named it (`BASE_URL`): then the next server has it, too. */
  named: z.boolean(),
})

/** Keeps the address of the server in its data folder, for commands on that folder. */
export async function keepAddress(directory: string, baseUrl: string, named: boolean): Promise<void> {
  await writeWhole(fileIn(directory), `${JSON.stringify({ base_url: baseUrl, named } satisfies z.infer<typeof Kept>)}\n`)
}

/** The address of a data folder's server, or of its last one; undefined where that is of no use any more. */
export function keptAddress(directory: string): { baseUrl: string; isServed: boolean } | undefined {
  const served = isServed(directory)
  const kept = readKept(directory)
  // Another program may have the port of a server that has ended.
  return kept && (served || kept.named) ? { baseUrl: kept.base_url, isServed: served } : undefined
}

function readKept(directory: string): z.infer<typeof Kept> | undefined {
  try {
    return Kept.parse(JSON.parse(readFileSync(fileIn(directory), 'utf8')))
  } catch {
    // There was no server yet, or the file is damaged.
    return undefined
  }
}
