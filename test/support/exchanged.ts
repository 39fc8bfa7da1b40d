import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Objects } from '../../shared/backends/objects/port.ts'
import { versionsKept } from '../../shared/library/accounts/companies.ts'
import { retryOnConflict } from '../../shared/library/concurrency/retry.ts'
import type { Writing } from '../../shared/library/library.ts'
import { currentFile, factsIn, fileExchange, formerFile, formerFiles } from '../../shared/library/media/files.ts'
import { available, findMedia } from '../../shared/library/media/find.ts'
import type { AvailableMedia, FileFacts, NextFile } from '../../shared/library/media/media.ts'
import { objectKeys } from '../../shared/library/media/objects.ts'
import { newReplacementId } from '../../shared/library/media/replacing.ts'
import { commitSteps } from '../../shared/library/media/states.ts'
import { type MediaId, toMediaId, toStoredId } from '../../shared/vocabulary/ids.ts'
import { REPLACER } from './replacing.ts'

type Exchanging = Pick<Writing, 'table' | 'clock' | 'by'>
type Given = Partial<FileFacts & Pick<NextFile, 'filename' | 'uploadKey' | 'stored' | 'fileBy'>>

/**
 * Makes another file the current one of a record, as the import of a replacement does. It has the facts of the one before, but for those given; its objects are
 * not made.
 * @param id of an imported file
 * @returns the record before
 */
export async function exchangeFile(library: Exchanging, id: number, given: Given = {}): Promise<AvailableMedia> {
  return retryOnConflict(async () => {
    const media = available(await findMedia(library, toMediaId(id)))
    const { fileNumber, fileCreated, lastNumber, versionBytes, comment, pinned, ...current } = currentFile(media)
    const next = { ...current, stored: await newStoredId(library, media.mediaId), ...given }
    const isHeld = (await formerFiles(library, media.mediaId)).some(({ stored }) => stored === next.stored)
    const keep = await versionsKept(library, media.companyId)
    const operations = fileExchange(library, media, next, { isHeld, suggestionsWanted: false, keep })
    await commitSteps(library, [media], () => library.table.transact(operations))
    return media
  })
}

const newStoredId = async (library: Exchanging, mediaId: MediaId) => toStoredId(await newReplacementId(library, mediaId))

/**
 * The same with an original.
 * @param given where its facts differ from those of the file before
 * @param also what is stored besides the original, before the exchange
 * @returns the record after it
 */
export async function exchangeBytes(
  library: Exchanging & { media: Objects },
  mediaId: MediaId,
  bytes: Buffer,
  given: Omit<Given, 'stored'> = {},
  also: (stored: AvailableMedia) => Promise<Partial<FileFacts>> = async () => ({}),
): Promise<AvailableMedia> {
  const stored = await newStoredId(library, mediaId)
  const digests = { bytes: bytes.length, md5: createHash('md5').update(bytes).digest('hex'), crc32: crc32(bytes) }
  const facts = { fileBy: REPLACER, uploadKey: `replacing-${stored}`, ...digests, ...given, stored }
  const next = { ...available(await findMedia(library, mediaId)), ...facts }
  await library.media.put(objectKeys.original(next), bytes, { contentType: next.mime })
  await exchangeFile(library, mediaId, { ...facts, ...(await also(next)) })
  return available(await findMedia(library, mediaId))
}

/** Makes a former number the current file of a media record again, under the next number. @returns the record after it */
export async function goBack(library: Exchanging, mediaId: MediaId, number: number): Promise<AvailableMedia> {
  const former = await formerFile(library, mediaId, number)
  if (former?.state !== 'available') throw new Error(`there is no file ${number}`)
  const { filename, uploadKey, stored } = former
  await exchangeFile(library, mediaId, { ...factsIn(former), filename, uploadKey, stored, fileBy: REPLACER })
  return available(await findMedia(library, mediaId))
}
