import { buffer } from 'node:stream/consumers'
import yauzl from 'yauzl'

/** An entry of an archive. */
export interface Unzipped {
  path: string
  bytes: Buffer
  /** UNIX milliseconds */
  modified: number
}

/** Everything in an archive, in its order. @throws Error where it is damaged: yauzl compares sizes and checksums */
export async function unzipped(bytes: Buffer): Promise<Unzipped[]> {
  const archive = await yauzl.fromBufferPromise(bytes, { strictFileNames: true })
  const entries: Unzipped[] = []
  for await (const entry of archive.eachEntry()) {
    const content = await buffer(await archive.openReadStreamPromise(entry))
    entries.push({ path: entry.fileName, bytes: content, modified: entry.getLastModDate().getTime() })
  }
  return entries
}
