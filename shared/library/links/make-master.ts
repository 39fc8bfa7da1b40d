import { type ObjectLabels, ObjectMissing, type Objects } from '../../backends/objects/port.ts'
import type { Log } from '../../log/log.ts'
import { ToolFailed } from '../../tools/failure.ts'
import type { LinkSource, LinkSources, MasterMaker } from '../../tools/imaging/master.ts'
import { Workspace } from '../../tools/workspace.ts'
import type { LinkId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { formerFile } from '../media/files.ts'
import { getMedia } from '../media/find.ts'
import { getLink } from '../media/link.ts'
import { type AvailableMedia, isAvailable, type MediaRecord } from '../media/media.ts'
import { objectKeys } from '../media/objects.ts'
import { publicKeys, type ShownFile, sourceKeys } from './public-keys.ts'
import { isRenderedFromOriginal, needsMaster } from './public-objects.ts'

/** The resources of the making of masters. */
export interface MakingMasters extends Reading {
  media: Pick<Objects, 'fetch'>
  publicFiles: Pick<Objects, 'put' | 'putFile' | 'delete'>
  masterMaker: MasterMaker
  log: Log
}

type Wanted = { linkId: LinkId } & ShownFile
type Picture = Pick<AvailableMedia, 'companyId' | 'mediaId' | 'stored' | 'kind' | 'mime' | 'width' | 'height'>

/**
 * Makes the sources of the pictures of a link that shows a file: masters and a pyramid of a large picture, and a conversion of a format that libvips doesn't decode.
 * The original is rendered if there is no master; where that is impossible, a mark is stored. Idempotent.
 *
 * The link may change meanwhile. The job reads the record again after storing: it sees the change and removes its objects, or the change comes
 * later, and the invalidation of what was shown before removes them.
 */
export async function makeMaster(library: MakingMasters, wanted: Wanted): Promise<void> {
  const file = await fileOf(library, wanted)
  if (file && needsMaster(file)) {
    await using workspace = await Workspace.open('master')
    const made = await make(library, file, workspace)
    if (made === 'impossible') await giveUp(library, wanted, file)
    else if (made) await store(library, wanted, made)
  }
  if (await shownMedia(library, wanted)) return
  await library.publicFiles.delete(sourceKeys(wanted.linkId, wanted))
}

/** A file that a link shows, now or until the next one is published: the current one of its media record, or a former one. */
async function shownMedia(library: Reading, { linkId, revision, file: number = 1 }: Wanted): Promise<MediaRecord | undefined> {
  const link = await getLink(library, linkId)
  if (!link?.mediaId) return undefined
  const isPublic = link.published?.revision === revision && (link.file ?? 1) === number
  if (link.revision !== revision && !isPublic) return undefined
  const media = await getMedia(library, isPublic ? link.published!.mediaId : link.mediaId)
  return isPublic || (media?.fileNumber ?? 1) === number ? media : undefined
}

async function fileOf(library: Reading, wanted: Wanted): Promise<Picture | undefined> {
  const media = await shownMedia(library, wanted)
  if (!media || !isAvailable(media)) return undefined
  const { file: number = 1 } = wanted
  if ((media.fileNumber ?? 1) === number) return media
  const former = await formerFile(library, media.mediaId, number)
  return former?.state === 'available' ? former : undefined
}

/** @returns undefined where there is nothing to make it of */
async function make(
  { media, masterMaker, log }: MakingMasters,
  file: Picture,
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

async function giveUp({ publicFiles }: MakingMasters, wanted: Wanted, file: Picture): Promise<void> {
  if (isRenderedFromOriginal(file)) return
  await publicFiles.put(publicKeys.undecodable(wanted.linkId, wanted), Buffer.of(), { contentType: 'text/plain' })
}

async function store(
  { publicFiles }: MakingMasters,
  wanted: Wanted,
  { original, master, smallMaster, pyramid }: LinkSources,
): Promise<void> {
  const put = (key: string, source: LinkSource | undefined) => source && publicFiles.putFile(key, source.path, labelsOf(source))
  const { linkId } = wanted
  await put(publicKeys.original(linkId, wanted), original)
  await put(publicKeys.master(linkId, wanted), master)
  await put(publicKeys.smallMaster(linkId, wanted), smallMaster)
  await put(publicKeys.pyramid(linkId, wanted), pyramid)
}

const labelsOf = ({ mime }: LinkSource): ObjectLabels => ({ contentType: mime })
