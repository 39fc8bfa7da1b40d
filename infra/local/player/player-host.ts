import { type PlayerAddresses, playerFiles, playerHeaders } from '../../clients/player/player-files.ts'
import { playerSources } from '../../clients/player/player-sources.ts'
import { type StaticFile, staticFile } from '../delivery/static-file.ts'

export interface PlayerHost {
  headers: Record<string, string>
  /** By path below the player's address. */
  files: ReadonlyMap<string, StaticFile>
}

/** Reads and compresses the player's files: once, at the first request, because a start shouldn't wait for them. */
export async function openPlayerHost(addresses: PlayerAddresses): Promise<PlayerHost> {
  const sources = playerSources()
  const files = playerFiles(addresses, sources).map(async ({ path, body, ...labels }) => [path, await staticFile(body, labels)] as const)
  return { headers: playerHeaders(addresses, sources), files: new Map(await Promise.all(files)) }
}
