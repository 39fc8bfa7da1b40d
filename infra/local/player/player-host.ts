import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type PlayerAddresses, type PlayerFile, playerFiles, playerHeaders } from '../../player/player-files.ts'
import { playerSources } from '../../player/player-sources.ts'

/** A file of the player, ready to be sent. */
export interface ServedFile {
  /** In both forms that clients may ask for. */
  plain: Buffer
  gzipped: Buffer
  /** Differs with the content; each form adds its own end. */
  digest: string
  labels: Record<string, string>
}

export interface PlayerHost {
  headers: Record<string, string>
  /** By path below the player's address. */
  files: ReadonlyMap<string, ServedFile>
}

/** Reads and compresses the player's files: once, at the first request, because a start shouldn't wait for them. */
export async function openPlayerHost(addresses: PlayerAddresses): Promise<PlayerHost> {
  const sources = playerSources()
  const files = await Promise.all(playerFiles(addresses, sources).map(served))
  return { headers: playerHeaders(addresses, sources), files: new Map(files) }
}

async function served({ path, body, contentType, cacheControl }: PlayerFile): Promise<[string, ServedFile]> {
  const plain = Buffer.from(body)
  const digest = createHash('sha256').update(plain).digest('hex').slice(0, 32)
  const labels = { 'content-type': contentType, 'cache-control': cacheControl, vary: 'accept-encoding' }
  return [path, { plain, gzipped: await promisify(gzip)(plain, { level: 9 }), digest, labels }]
}
