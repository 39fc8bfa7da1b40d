import type { EventType } from './calls.ts'

/** Kinds of events, in the order in which they are offered. The record holds each that the service knows. */
const order: Readonly<Record<EventType, true>> = {
  'media.created': true,
  'media.updated': true,
  'media.replaced': true,
  'media.placed': true,
  'media.downloaded': true,
  'media.trashed': true,
  'media.restored': true,
  'media.deleted': true,
  'folder.created': true,
  'folder.renamed': true,
  'folder.moved': true,
  'folder.shared': true,
  'folder.trashed': true,
  'folder.restored': true,
  'folder.deleted': true,
  'share.created': true,
  'share.visited': true,
  'share.removed': true,
  'link.created': true,
  'link.updated': true,
  'link.deleted': true,
  'bulk.finished': true,
  'zip.ready': true,
  'zip.failed': true,
  'stream.available': true,
  'stream.failed': true,
  'import.delayed': true,
  'user.created': true,
  'user.changed': true,
  'user.left': true,
  'company.quota': true,
}

export const kinds = Object.keys(order) as EventType[]
