import { type CopyInRuns, CopyUnfinished, ObjectMissing } from '../../backends/objects/port.ts'
import type { Condition, Operation, Operations } from '../../backends/table/port.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { getMedia } from '../media/find.ts'
import type { LinkAddress } from '../media/link.ts'
import { getLink, isPublished, type LinkRecord, linkKey } from '../media/link.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { relinkMedia } from '../media/pointers.ts'
import { isCdnFolder } from '../tree/system-folders.ts'
import { loadChains } from '../tree/tree-store.ts'
import { extensionOf } from './find-links.ts'
import { forgetLink } from './invalidation.ts'
import { aiLabelOf, digestOf, labelsOf, type PictureLabels } from './labels.ts'
import { sourceName } from './public-keys.ts'
import {
  masterJob,
  needsMaster,
  type PublicObjects,
  removeObjects,
  shownBy,
  storeCopy,
  storeManifest,
  storeObjects,
} from './public-objects.ts'

/** The resources of the publication of links. */
export interface Publishing extends PublicObjects, Writing {}

/**
 * Reconciles the public bucket with a link's record: the objects of its file with the file's labels, or none once it has ended. The job's lease lets one run at a time
 * write. A run that lost its lease may write after its successor; it then sees the changed record, and publishes that. So does one during which another
 * file takes its place: that asks for the next run. Idempotent; safe to crash.
 * @param inRuns with which another run goes on with the copy of a large file
 * @returns that one has to; undefined when none has
 */
export async function publishLink(library: Publishing, named: LinkAddress, inRuns?: CopyInRuns): Promise<Again | undefined> {
  try {
    await reconcile(library, named, inRuns)
    return undefined
  } catch (error) {
    if (error instanceof CopyUnfinished) return {}
    throw error
  }
}

async function reconcile(library: Publishing, named: LinkAddress, inRuns: CopyInRuns | undefined): Promise<void> {
  for (let hasWritten = false; ; hasWritten = true) {
    const link = await currentLink(library, named)
    if (!link) return removeObjects(library, named)
    const file = await shownFile(library, link)
    if (file === 'not there') return
    const isKept = !hasWritten && isPublished(link, file === 'nothing' ? undefined : file)
    const isDone = isKept ? await relabel(library, link, file, inRuns) : await publish(library, link, file, inRuns)
    if (isDone) return
  }
}

/** The present record of a link. Ends the link first where its folder no longer publishes under its alias: a slow request may have made it. */
async function currentLink(library: Publishing, { linkId }: LinkAddress): Promise<LinkRecord | undefined> {
  const link = await getLink(library, linkId)
  if (!link?.mediaId) return link
  const { companyId, mediaId, contents, alias } = link
  const folder = (await loadChains(library, companyId, { contents: [contents] })).folderOfContents(contents)
  if (folder && isCdnFolder(folder) && folder.alias === alias) return link
  await relinkMedia(library, mediaId, contents)
  return getLink(library, linkId)
}

/** @returns `nothing` for an ended link; `not there` for a file that is imported or removed now, which asks for the next run */
async function shownFile(library: Publishing, { mediaId }: LinkRecord): Promise<AvailableMedia | 'nothing' | 'not there'> {
  if (mediaId === null) return 'nothing'
  const file = await getMedia(library, mediaId)
  return file && isAvailable(file) ? file : 'not there'
}

/** Has published pictures carry the labels, focal point and words that the library knows now. @returns false where the link has changed meanwhile */
async function relabel(
  library: Publishing,
  link: LinkRecord,
  file: AvailableMedia | 'nothing',
  inRuns: CopyInRuns | undefined,
): Promise<boolean> {
  if (file === 'nothing') return true
  const labels = await labelsOf(library.media, file)
  const said = saidOf(file, labels)
  if (said.labels === link.labels && said.words === link.words) return true
  // The copy has this label of its own.
  if (said.ai !== link.ai) await storeCopy(library, link, { file, labels }, inRuns)
  await storeManifest(library, link, { file, labels })
  const operation: Operation = { update: linkKey(link.linkId), changes: { set: said, remove: absentIn(said) }, if: unchanged(link) }
  // Words are in no picture.
  return held(library.table.transact({ link: operation, ...(said.labels !== link.labels && forgetLink(library, link)) }))
}

const saidOf = ({ focalPoint = null, title, description }: AvailableMedia, labels: PictureLabels) => ({
  labels: digestOf([labels, focalPoint]),
  words: digestOf([title, description]),
  ai: aiLabelOf(labels) ?? undefined,
})

/** What a published link's record has no longer. */
const absentIn = ({ ai }: Pick<LinkRecord, 'ai'>): string[] => (ai ? [] : ['ai'])

/** @returns false where the link has changed meanwhile */
async function publish(
  library: Publishing,
  link: LinkRecord,
  file: AvailableMedia | 'nothing',
  inRuns: CopyInRuns | undefined,
): Promise<boolean> {
  if (file === 'nothing') {
    await removeObjects(library, link)
    return notePublication(library, link, {})
  }
  const labels = await labelsOf(library.media, file)
  try {
    await storeObjects(library, link, { file, labels }, inRuns)
  } catch (error) {
    // The file was removed meanwhile, so the link's record has changed; or its bytes were, once another was in their place.
    if (error instanceof ObjectMissing && (await hasGone(library, link, file))) return false
    throw error
  }
  const { revision, file: number } = shownBy(link, file)
  const published = { revision, mediaId: file.mediaId }
  const extension = (await extensionOf(library, link, file))!
  return notePublication(library, link, { published, file: number, extension, ...saidOf(file, labels) }, masterOf(library, link, file))
}

async function hasGone(library: Publishing, link: LinkRecord, file: AvailableMedia): Promise<boolean> {
  const now = await shownFile(library, link)
  return typeof now === 'string' || now.stored !== file.stored
}

/**
 * Records the publication. The same transaction asks for the invalidation of what edges may keep of an earlier revision.
 * @param shown without `published` where the link has ended
 * @param also further writes of the transaction
 * @returns false where the link has changed
 */
function notePublication(
  library: Publishing,
  link: LinkRecord,
  shown: Pick<LinkRecord, 'published' | 'file' | 'extension' | 'labels' | 'words' | 'ai'>,
  also: Operations = {},
): Promise<boolean> {
  const { linkId, revision, file = 1 } = link
  // What was never public is at no edge. Of the file before, a run that crashed may have made some public.
  const isStale = revision > 1 || link.published !== undefined || (shown.file ?? file) !== file
  const set = { ...shown, changed: library.clock.now(), stale: isStale ? revision : undefined }
  const changes = { set, remove: [...(shown.published ? [] : ['published']), ...absentIn(shown)] }
  const operations: Operations = {
    link: { update: linkKey(linkId), changes, if: unchanged(link) },
    ...(isStale && forgetLink(library, { ...link, file: shown.file })),
    ...also,
  }
  return held(library.table.transact(operations))
}

/** Holds while nobody published it since it was read: a run that lost its lease may have published what is old by now. */
const unchanged = ({ revision, file, labels, words }: LinkRecord): Condition => ({
  revision: { equals: revision },
  file: asRead(file),
  labels: asRead(labels),
  words: asRead(words),
})

/** Asks for the master of a picture that needs one. */
function masterOf(library: Publishing, link: LinkRecord, file: AvailableMedia): Operations {
  if (!needsMaster(file)) return {}
  const [{ companyId, linkId }, shown] = [link, shownBy(link, file)]
  return { master: masterJob.ask(library, { companyId, subject: `${linkId}.${sourceName(shown)}`, input: { linkId, ...shown } }) }
}
