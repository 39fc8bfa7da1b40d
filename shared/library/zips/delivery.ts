import type { UrlSigner } from '../../backends/edge/port.ts'
import { EntryNames } from '../../tools/archive/entry-names.ts'
import { attachment } from '../media/delivery.ts'
import { numberOf, type ZipRecord } from './zip.ts'

/** URL of a zip that is DONE, named after its folder, good as long as the zip is. Undefined for others. */
export async function zipUrl({ urls }: { urls: UrlSigner }, { archive, validUntil, listing }: ZipRecord): Promise<string | undefined> {
  if (archive === undefined || validUntil === undefined || !listing) return undefined
  const name = new EntryNames().unique(`${listing.folderName}.zip`, 'file')
  return urls.sign(archive, { expires: validUntil * 1000, disposition: attachment(name), contentType: 'application/zip' })
}

/** How far a zip is, once that is known: an entry counts half when it is ready, and whole when it is in the archive. */
export function progressOf({ state, stage, listing }: ZipRecord): { done: number; total: number } | undefined {
  if (state !== 'PENDING' || stage === 'list' || !listing) return undefined
  const total = numberOf(listing, 'entries')
  const ready = total - numberOf(listing, 'waiting')
  return { done: Math.floor((ready + listing.assembled) / 2), total }
}
