import { ObjectMissing } from '../../backends/objects/port.ts'
import type { QueueSender } from '../../backends/queue/port.ts'
import type { Operations } from '../../backends/table/port.ts'
import type { Messages } from '../../vocabulary/messages.ts'
import type { Writing } from '../library.ts'
import { getLink, type LinkRecord, linkExtension } from '../links/link.ts'
import { getMedia } from '../media/find.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { relinkMedia } from '../media/relink.ts'
import { renewing } from '../renewal.ts'
import { isCdnFolder } from '../tree/alias.ts'
import { loadChains } from '../tree/tree-store.ts'
import { masterJob } from './master-job.ts'
import { needsMaster, type PublicObjects, removeObjects, storeObjects } from './public-objects.ts'
import { CLAIM_MS, type ClaimedLink, claim, giveUp, goOn, isBeingPublished, isPublished, settle } from './publisher.ts'

/** What links are published with. */
export interface Publishing extends PublicObjects, Writing {
  invalidations: QueueSender<Messages['invalidations']>
}

/**
 * Brings the public bucket to what a link's record says: the file that it shows, or nothing once it has ended. Any number of runs, in any
 * order and at the same time, each ended anywhere: the last one leaves what the table says.
 * @returns the seconds after which the job is to run again, because somebody else publishes the link now
 */
export async function publishLink(library: Publishing, named: Pick<LinkRecord, 'linkId' | 'alias'>): Promise<number | undefined> {
  for (let mustPublish = false; ; ) {
    const link = await currentLink(library, named)
    if (!link) {
      await removeObjects(library, named)
      return undefined
    }
    const file = await shownFile(library, link)
    if (file === 'not there') return undefined
    if (!mustPublish && isPublished(link)) {
      if (link.stale !== undefined) await library.invalidations.send({})
      return undefined
    }
    if (!mustPublish && isBeingPublished(link, library.clock.now())) return secondsLeft(library, link)
    const claimed = await claim(library, link)
    // When somebody else took over, this run may have written after them. So it publishes once more, whoever is at it now.
    if (claimed) mustPublish = !(await publish(library, claimed, file))
  }
}

/** A link as it is. It ends first where its folder no longer publishes under its alias: a request that read the folder before may have made it. */
async function currentLink(library: Publishing, { linkId }: Pick<LinkRecord, 'linkId'>): Promise<LinkRecord | undefined> {
  const link = await getLink(library, linkId)
  if (!link || link.mediaId === null) return link
  const { companyId, mediaId, contents, alias } = link
  const folder = (await loadChains(library, companyId, { contents: [contents] })).folderOfContents(contents)
  if (folder && isCdnFolder(folder) && folder.alias === alias) return link
  await relinkMedia(library, mediaId, contents)
  return getLink(library, linkId)
}

/** @returns `nothing` for a link that has ended; `not there` for a file whose import, or whose removal, starts the next run at its end */
async function shownFile(library: Publishing, { mediaId }: LinkRecord): Promise<AvailableMedia | 'nothing' | 'not there'> {
  if (mediaId === null) return 'nothing'
  const file = await getMedia(library, mediaId)
  return file && isAvailable(file) ? file : 'not there'
}

const secondsLeft = ({ clock }: Publishing, { publisherUntil = 0 }: LinkRecord): number => Math.ceil((publisherUntil - clock.now()) / 1000)

/** @returns whether the public bucket holds what the link says; not where the link changed meanwhile, or another publisher took over */
async function publish(library: Publishing, link: ClaimedLink, file: AvailableMedia | 'nothing'): Promise<boolean> {
  let isSettled = false
  try {
    await using _ = renewing(CLAIM_MS, () => goOn(library, link))
    if (file === 'nothing') {
      await removeObjects(library, link)
      isSettled = await settle(library, link)
    } else {
      await storeObjects(library, link, file)
      isSettled = await settle(library, link, link.extension ?? linkExtension(file), masterOf(library, link, file))
    }
  } catch (error) {
    // Its file was removed meanwhile: the next look at the link shows what that means for it.
    if (!(error instanceof ObjectMissing) || (await shownFile(library, link)) !== 'not there') throw error
  } finally {
    if (!isSettled) await giveUp(library, link).catch(() => false)
  }
  return isSettled
}

/** What asks for the master of a picture that needs one. */
function masterOf(library: Publishing, { companyId, linkId, revision }: LinkRecord, file: AvailableMedia): Operations {
  if (!needsMaster(file)) return {}
  return { master: masterJob.ask(library, { companyId, subject: `${linkId}.${revision}`, input: { linkId, revision } }) }
}
