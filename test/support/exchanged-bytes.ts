import { createHash, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Objects } from '../../shared/backends/objects/port.ts'
import { retryOnConflict } from '../../shared/library/concurrency/retry.ts'
import type { Writing } from '../../shared/library/library.ts'
import { factsIn, fileExchange, formerFile, formerFiles } from '../../shared/library/media/files.ts'
import { available, findMedia } from '../../shared/library/media/find.ts'
import type { AvailableMedia, FileFacts, NextFile } from '../../shared/library/media/media.ts'
import { objectKeys } from '../../shared/library/media/objects.ts'
import { keepStates } from '../../shared/library/media/states.ts'
import { type MediaId, toStoredId, toUserId } from '../../shared/vocabulary/ids.ts'

const REPLACER = toUserId(302)

type Exchanging = Pick<Writing, 'table' | 'clock' | 'by'>
type Named = FileFacts & Pick<NextFile, 'filename' | 'uploadKey' | 'stored'>

/**
 * Puts other bytes into the place of a file, as the import of a replacement does.
 * @param facts where they differ from those of the file before
 * @param also what is stored besides the original, before the exchange
 */
export async function exchangeBytes(
  library: Exchanging & { media: Objects },
  mediaId: MediaId,
  bytes: Buffer,
  facts: Partial<Omit<Named, 'stored'>> = {},
  also: (stored: Named & AvailableMedia) => Promise<Partial<FileFacts>> = async () => ({}),
): Promise<AvailableMedia> {
  const before = available(await findMedia(library, mediaId))
  const stored = toStoredId(randomUUID())
  const digests = { bytes: bytes.length, md5: createHash('md5').update(bytes).digest('hex'), crc32: crc32(bytes) }
  const next = { ...before, ...digests, uploadKey: `replacing-${stored}`, ...facts, stored }
  await library.media.put(objectKeys.original(next), bytes, { contentType: next.mime })
  return exchange(library, mediaId, { ...named(next), ...(await also(next)) })
}

/** Makes a former number the current file of a media record again, under the next number. */
export async function goBack(library: Exchanging, mediaId: MediaId, number: number): Promise<AvailableMedia> {
  const former = await formerFile(library, mediaId, number)
  if (former?.state !== 'available') throw new Error(`there is no file ${number}`)
  return exchange(library, mediaId, named(former))
}

const named = (file: Named): Named => {
  const { filename, uploadKey, stored } = file
  return { ...factsIn(file), filename, uploadKey, ...(stored !== undefined && { stored }) }
}

async function exchange(library: Exchanging, mediaId: MediaId, file: Named): Promise<AvailableMedia> {
  await retryOnConflict(async () => {
    const media = available(await findMedia(library, mediaId))
    const isHeld = (await formerFiles(library, mediaId)).some((former) => former.state === 'available' && former.stored === file.stored)
    await keepStates(library, [media])
    await library.table.transact(
      fileExchange(library, media, { ...file, fileBy: REPLACER }, { isHeld, suggestionsWanted: false, keep: 20 }),
    )
  })
  return available(await findMedia(library, mediaId))
}
