import { type ObjectLabels, ObjectMissing, type Objects } from '../../backends/objects/port.ts'
import type { Log } from '../../log/log.ts'
import { ToolFailed } from '../../tools/failure.ts'
import type { LinkSource, LinkSources, MasterMaker } from '../../tools/imaging/master.ts'
import { Workspace } from '../../tools/workspace.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { getMedia } from '../media/find.ts'
import { getLink, type LinkRecord } from '../media/link.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { objectKeys } from '../media/objects.ts'
import { publicKeys, sourceKeys } from './public-keys.ts'
import { isRenderedFromOriginal, needsMaster } from './public-objects.ts'

/** The resources of the making of masters. */
export interface MakingMasters extends Reading {
  media: Pick<Objects, 'fetch'>
  publicFiles: Pick<Objects, 'put' | 'putFile' | 'delete'>
  masterMaker: MasterMaker
  log: Log
}

type Wanted = Pick<LinkRecord, 'linkId' | 'revision'>

/**
 * Makes the sources of a link's pictures at a revision: masters and a pyramid of a large picture, and a conversion of a format that libvips doesn't decode.
 * The original is rendered if there is no master; where that is impossible, a mark is stored. Idempotent.
 *
 * The link may change meanwhile. The job reads the record again after storing: it sees the change and removes its objects, or the change comes
 * later, and the invalidation of the old revision removes them.
 */
export async function makeMaster(library: MakingMasters, wanted: Wanted): Promise<void> {
  const file = await fileOf(library, wanted)
  if (file && needsMaster(file)) {
    await using workspace = await Workspace.open('master')
    const made = await make(library, file, workspace)
    if (made === 'impossible') await giveUp(library, wanted, file)
    else if (made) await store(library, wanted, made)
  }
  if (await isShown(library, wanted)) return
  const { linkId, revision } = wanted
  await library.publicFiles.delete(sourceKeys(linkId, revision))
}

/** The file that the link shows at this revision, now or until the next one is published. */
async function shownAt(library: Reading, { linkId, revision }: Wanted): Promise<MediaId | undefined> {
  const link = await getLink(library, linkId)
  if (!link?.mediaId) return undefined
  if (link.revision === revision) return link.mediaId
  return link.published?.revision === revision ? link.published.mediaId : undefined
}

const isShown = async (library: Reading, wanted: Wanted): Promise<boolean> => (await shownAt(library, wanted)) !== undefined

async function fileOf(library: Reading, wanted: Wanted): Promise<AvailableMedia | undefined> {
  const mediaId = await shownAt(library, wanted)
  const file = mediaId === undefined ? undefined : await getMedia(library, mediaId)
  return file && isAvailable(file) ? file : undefined
}

/** @returns undefined where there is nothing to make it of */
async function make(
  { media, masterMaker, log }: MakingMasters,
  file: AvailableMedia,
  workspace: Workspace,
): Promise<LinkSources | 'impossible' | undefined> {
  const original = workspace.path('original')
  try {
    await media.fetch(objectKeys.original(file), original)
    return await masterMaker(original, file.mime, workspace.directory)
  } catch (error) {
    // Deleted meanwhile: its links end, too.
    if (error instanceof ObjectMissing) return undefined
    if (!(error instanceof ToolFailed)) throw error
    log.warn('no master can be made of a picture', { media: file.mediaId, error })
    return 'impossible'
  }
}

async function giveUp({ publicFiles }: MakingMasters, { linkId, revision }: Wanted, file: AvailableMedia): Promise<void> {
  if (isRenderedFromOriginal(file)) return
  await publicFiles.put(publicKeys.undecodable(linkId, revision), Buffer.of(), { contentType: 'text/plain' })
}

async function store(
  { publicFiles }: MakingMasters,
  { linkId, revision }: Wanted,
  { original, master, smallMaster, pyramid }: LinkSources,
): Promise<void> {
  const put = (key: string, source: LinkSource | undefined) => source && publicFiles.putFile(key, source.path, labelsOf(source))
  await put(publicKeys.original(linkId, revision), original)
  await put(publicKeys.master(linkId, revision), master)
  await put(publicKeys.smallMaster(linkId, revision), smallMaster)
  await put(publicKeys.pyramid(linkId, revision), pyramid)
}

const labelsOf = ({ mime }: LinkSource): ObjectLabels => ({ contentType: mime })
