import { type Actor, actorShown, requestOf, type ShownActor } from '../actor.ts'
import type { DomainEvent } from '../events/domain-events.ts'
import type { Requester } from '../zips/zip.ts'
import type { EventType, FeedEntry } from './event.ts'
import type { FeedEvent } from './feed-events.ts'
import type { Places } from './places.ts'

/** The feed's entry for a domain event. Undefined for events that nobody may see. */
export function entryOf(event: FeedEvent, places: Places): FeedEntry | undefined {
  const entry = meaningOf(event, places)
  return entry && { ...entry, ...requestOf(event.by) }
}

function meaningOf(event: FeedEvent, places: Places): FeedEntry | undefined {
  const actor = actorShown(event.by)
  switch (event.name) {
    case 'media.imported':
      return withShare(ofFile('media.created', { userId: event.uploadedBy }, event, places), event.uploadedVia)
    case 'media.edited':
      return ofFile('media.updated', actor, event, places)
    case 'media.replaced':
      return withNumber(ofFile('media.replaced', actor, event, places), event)
    case 'media.placed':
      return placed(event, actor, places)
    case 'media.downloaded':
      return withShare(withNumber(ofFile('media.downloaded', actor, event, places), event), shareOf(event.by))
    case 'share.created':
    case 'share.visited':
    case 'share.removed':
      return { type: event.name, actor, requester: { userId: event.userId }, data: { shareId: event.shareId } }
    case 'media.removed':
      // Files were invisible before the end of their import.
      return event.kind === undefined ? undefined : ofFile('media.deleted', actor, event, places)
    case 'import.delayed':
      return { type: event.name, actor, data: { mediaId: event.mediaId } }
    case 'stream.available':
    case 'stream.failed':
      return { type: event.name, actor: { userId: event.requester }, data: { mediaId: event.mediaId } }
    case 'link.created':
    case 'link.updated':
    case 'link.deleted':
      return { type: event.name, actor, data: { link: event.linkId, mediaId: event.mediaId, folderIds: [event.folderId] } }
    case 'folder.created':
      // The library creates trashcans on demand.
      return event.system === 'trash' ? undefined : ofFolder('folder.created', actor, event)
    case 'folder.renamed':
    case 'folder.deleted':
      return ofFolder(event.name, actor, event)
    case 'folder.moved':
      return moved(event, actor, places)
    case 'folder.shared': {
      const parent = places.parentOf(event.folderId)
      return parent === undefined ? undefined : ofFolder('folder.shared', actor, { ...event, parent })
    }
    case 'zip.ready':
    case 'zip.failed':
      return zipped(event)
    case 'company.quota': {
      const { percent, bytes, quotaBytes } = event
      return { type: event.name, actor: {}, data: { percent, bytes, quotaBytes } }
    }
    case 'user.created':
    case 'user.changed':
    case 'user.left':
      return { type: event.name, actor, data: { userId: event.userId } }
    case 'bulk.finished': {
      const requester = { userId: event.userId }
      return { type: event.name, actor: requester, requester, data: { jobId: event.bulkId } }
    }
  }
}

const shareOf = (by: Actor | undefined): string | undefined => (by?.kind === 'user' ? by.shareId : undefined)

/** Adds the share link through which the change was made, if any. */
function withShare(event: FeedEntry, shareId: string | undefined): FeedEntry {
  return shareId === undefined ? event : { ...event, data: { ...event.data, shareId } }
}

/** Adds the number of a file, if the event is about one. */
function withNumber(event: FeedEntry, { fileNumber }: Pick<DomainEvent<'media.downloaded'>, 'fileNumber'>): FeedEntry {
  return fileNumber === undefined ? event : { ...event, data: { ...event.data, fileNumber } }
}

type FileEvent = Pick<DomainEvent<'media.removed'>, 'mediaId' | 'folders' | 'version'>

function ofFile(type: EventType, actor: ShownActor, { mediaId, folders, version }: FileEvent, places: Places): FeedEntry {
  return { type, actor, data: { mediaId, folderIds: places.foldersOf(folders), ...(version !== undefined && { version }) } }
}

function ofFolder(type: EventType, actor: ShownActor, { folderId, parent }: Pick<DomainEvent<'folder.renamed'>, 'folderId' | 'parent'>) {
  return { type, actor, data: { folderId, parent } }
}

/** A file that moves to a trashcan is trashed. One that moves out of it is restored. */
function placed(event: DomainEvent<'media.placed'>, actor: ShownActor, places: Places): FeedEntry {
  const { added, removed } = event
  const left = removed.filter((contents) => !places.isTrashed(contents))
  const [toTrash, toFolder] = [added.some((each) => places.isTrashed(each)), added.some((each) => !places.isTrashed(each))]
  if (toTrash && !toFolder && left.length > 0) return ofFile('media.trashed', actor, { ...event, folders: left }, places)
  return ofFile(toFolder && left.length < removed.length ? 'media.restored' : 'media.placed', actor, event, places)
}

function moved({ folderId, from, to }: DomainEvent<'folder.moved'>, actor: ShownActor, places: Places): FeedEntry {
  const [wasTrash, isTrash] = [places.isTrash(from), places.isTrash(to)]
  if (isTrash && !wasTrash) return ofFolder('folder.trashed', actor, { folderId, parent: from })
  return ofFolder(wasTrash && !isTrash ? 'folder.restored' : 'folder.moved', actor, { folderId, parent: to })
}

function zipped({ name, jobId, folderId, requester: by }: DomainEvent<'zip.ready' | 'zip.failed'>): FeedEntry {
  const requester = requesterOf(by)
  return { type: name, actor: requester, requester, data: { jobId, ...(folderId !== undefined && { folderId }) } }
}

const requesterOf = (requester: Requester): ShownActor =>
  requester.kind === 'application' ? { keyId: requester.keyId } : requester.shareId === undefined ? { userId: requester.userId } : {}
