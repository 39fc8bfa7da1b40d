import type { Operations } from '../../backends/table/port.ts'
import type { Digest } from '../../tools/digest.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { versionsKept } from '../accounts/companies.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict } from '../errors.ts'
import { snapshotOf } from '../index-snapshots/job.ts'
import { asksForSnapshot } from '../index-snapshots/sample.ts'
import type { Reading, Writing } from '../library.ts'
import { factsIn, formerFile, type Replacement, replacements } from '../media/files.ts'
import { getMedia } from '../media/find.ts'
import { askForLabels } from '../media/label-job.ts'
import { knownCopyright } from '../media/link.ts'
import { type AvailableMedia, type FileFacts, isAvailable, type MediaRecord } from '../media/media.ts'
import { removeObjects } from '../media/objects.ts'
import { removeRemains } from '../media/remains.ts'
import {
  droppedReplacement,
  formerArrival,
  formerWith,
  getReplacement,
  isOfOtherLibrary,
  isSame,
  replacementExchange,
  replacementFailure,
  storedOf,
  type VersionOfOther,
} from '../media/replacing.ts'
import { commitSteps } from '../media/states.ts'
import { lacksSuggestions } from '../media/suggestions.ts'
import { removeUnused } from '../media/unused.ts'
import type { Importing } from './import-run.ts'

/** What the import of a replacement made of its bytes. */
interface Made {
  facts: FileFacts
  /** The media record whose copyright its pictures say. */
  labelled: Pick<MediaRecord, 'copyright' | 'emptied'>
}

/**
 * Makes a replacement the current file, with its facts and all that was edited, in one transaction. Of bytes that the file has had before, what is stored of
 * those is used. The bytes of the current file make no difference: the replacement ends. Does nothing in a second run.
 * @param made absent where the file has the bytes already
 * @throws Conflict where they were deleted meanwhile: the next run inspects them
 */
export function endReplacement(library: Importing, replacement: Replacement, digest: Digest, made?: Made): Promise<void> {
  const { mediaId } = replacement
  const acting = { ...library, by: replacement.by }
  return end(library, replacement, async (media) => {
    if (isOfOtherLibrary(replacement)) return endAsFormer(acting, media, { replacement, digest, made })
    if (isSame(media, digest)) return library.table.transact(droppedReplacement(acting, replacement))
    const former = await formerWith(library, mediaId, digest)
    const facts = former ? factsIn(former) : made?.facts
    if (!facts) throw new Conflict()
    const stored = former ? former.stored : storedOf(replacement)
    const { companyId } = media
    const [suggestionsWanted, keep] = await Promise.all([lacksSuggestions(library, companyId, facts), versionsKept(library, companyId)])
    const isLabelled = !former && made && knownCopyright(made.labelled) === knownCopyright(media)
    const how = { isHeld: former !== undefined, suggestionsWanted, keep }
    const operations = {
      ...(former && droppedReplacement(acting, replacement)),
      ...replacementExchange(acting, media, replacement, { ...facts, ...(stored !== undefined && { stored }) }, how),
      ...(facts.kind === 'image' && !isLabelled && { labels: askForLabels(acting, companyId, [mediaId]) }),
      ...(asksForSnapshot(mediaId) && { snapshot: snapshotOf(acting, companyId, { newerThan: library.clock.now() }) }),
    }
    await commitSteps(library, [media], () => library.table.transact(operations))
  })
}

/**
 * Makes a version that the file had in another library a number which isn't current, with what is stored of equal bytes.
 * @throws Conflict where bytes that it needs were deleted meanwhile: the next run inspects it
 */
async function endAsFormer(
  library: Importing,
  media: AvailableMedia,
  { replacement, digest, made }: { replacement: VersionOfOther; digest: Digest; made: Made | undefined },
): Promise<void> {
  const same = isSame(media, digest) ? media : await formerWith(library, media.mediaId, digest)
  const facts = same ? factsIn(same) : made?.facts
  if (!facts) throw new Conflict()
  const stored = same ? same.stored : storedOf(replacement)
  const file = { ...facts, ...(stored !== undefined && { stored }) }
  await library.table.transact(formerArrival(library, media, replacement, file, { isHeld: same !== undefined }))
}

/** Ends a replacement that can't be imported as a number that failed. The old file stays the current one. Does nothing in a second run. */
export function endAsFailed(library: Importing, replacement: Replacement): Promise<void> {
  const acting = { ...library, by: replacement.by }
  return end(library, replacement, (media) => library.table.transact(replacementFailure(acting, media, replacement)))
}

/**
 * Ends all replacements of a file as numbers that failed, because the operator cancels their job. The old file stays the current one.
 * @throws Conflict for a file that isn't there yet
 */
export async function importCancelled(library: Writing, mediaId: MediaId): Promise<Operations> {
  for (;;) {
    const media = await getMedia(library, mediaId)
    if (!media || !isAvailable(media)) throw new Conflict('Nothing else would import the file. Delete it instead: then its import ends.')
    const oldest = (await replacements(library, mediaId)).at(-1)
    if (!oldest) return {}
    const acting = { ...library, by: oldest.by }
    const isThere = await hasItsNumber(library, oldest)
    await library.table.transact(isThere ? droppedReplacement(acting, oldest) : replacementFailure(acting, media, oldest))
  }
}

/** Whether a replacement is a version of another library, and the file has its number already. */
const hasItsNumber = async (library: Reading, { mediaId, former }: Replacement): Promise<boolean> =>
  former !== undefined && (await formerFile(library, mediaId, former.fileNumber)) !== undefined

/**
 * Runs the transaction that ends a replacement, again where the file has changed meanwhile, and removes the upload. A version of another library ends where the
 * file has its number. Where another run has ended the replacement, or the file was deleted, removes what this run stored.
 */
async function end(library: Importing, replacement: Replacement, transact: (media: AvailableMedia) => Promise<void>): Promise<void> {
  const { mediaId } = replacement
  const state = await retryOnConflict(async () => {
    const media = await getMedia(library, mediaId)
    if (!media) return 'deleted'
    if (!isAvailable(media) || !(await getReplacement(library, replacement))) return 'ended'
    await ((await hasItsNumber(library, replacement)) ? library.table.transact(droppedReplacement(library, replacement)) : transact(media))
    return 'done'
  })
  await library.uploads.delete([replacement.uploadKey])
  if (state === 'ended') await removeUnused(library, { ...replacement, stored: storedOf(replacement) })
  if (state !== 'deleted') return
  await removeObjects(library, replacement)
  await removeRemains(library, mediaId)
}
