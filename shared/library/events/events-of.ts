import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../../backends/table/port.ts'
import { type CompanyId, type FolderId, type MediaId, NOBODY, toFolderId } from '../../vocabulary/ids.ts'
import { isAdminOf, isMemberOf, type Membership } from '../accounts/users.ts'
import { isWaiting } from '../jobs/states.ts'
import { placementOf } from '../media/placement.ts'
import type { Encoding } from '../videos/video.ts'
import type { DomainEvent, EventName } from './domain-events.ts'
import { isChangeOf, type KeyPattern, type RecordKind, type Records, recordKeys } from './records.ts'

/** Kind of change of a record. */
export type Happened = 'created' | 'changed' | 'removed'

/** Maps one kind of change of one kind of record to its events. */
interface Rule {
  record: RecordKind
  happened: Happened
  /** The names of its events. */
  names: readonly EventName[]
  /** Returns nothing for changes of other records. */
  tell(change: Change): readonly DomainEvent[]
}

const rules: readonly Rule[] = [
  // An item of the stock catalogue without a file has nothing to import.
  created('media', ['media.revised'], (media) => when(media.state === 'available', { name: 'media.revised', ...ofFile(media) })),
  changed(
    'media',
    ['media.imported', 'import.delayed', 'media.revised', 'media.edited', 'media.replaced', 'media.placed'],
    (media, before) => {
      const [wasAvailable, isAvailable] = [before.state === 'available', media.state === 'available']
      return [
        ...when(!wasAvailable && isAvailable, { name: 'media.imported', ...fileThen(media), ...uploadOf(media) }),
        ...when(media.delayed === true && !before.delayed, { name: 'import.delayed', ...ofFile(media) }),
        ...when(before.revision !== media.revision && (wasAvailable || isAvailable), { name: 'media.revised', ...ofFile(media) }),
        ...(wasAvailable && isAvailable ? stepped(media, before) : []),
        ...(wasAvailable && isAvailable ? placed(media, before) : []),
      ]
    },
  ),
  created('tombstone', ['media.removed'], ({ kind, folders, version, ...media }) => [
    { name: 'media.removed', ...ofFile(media), ...given({ kind, folders, version }) },
  ]),
  // Stock downloads name no file of the company.
  created('download', ['media.downloaded'], ({ companyId, mediaId, file }) =>
    file ? [{ name: 'media.downloaded', companyId, mediaId, ...file }] : [],
  ),

  created('folder', ['folder.created'], (folder) =>
    // A purge creates a deleted record, which is no new folder.
    when(folder.deleted === undefined, {
      name: 'folder.created',
      ...ofFolder(folder),
      parent: folder.parent,
      ...given({ system: folder.system }),
    }),
  ),
  changed('folder', ['folder.deleted', 'folder.moved', 'folder.renamed', 'folder.shared'], (folder, before) => {
    const { parent } = folder
    return [
      ...when(before.deleted === undefined && folder.deleted !== undefined, { name: 'folder.deleted', ...ofFolder(folder), parent }),
      ...when(before.parent !== parent, { name: 'folder.moved', ...ofFolder(folder), from: before.parent, to: parent }),
      ...when(before.name !== folder.name, { name: 'folder.renamed', ...ofFolder(folder), parent }),
      ...when(!isDeepStrictEqual(before.grants, folder.grants), { name: 'folder.shared', ...ofFolder(folder) }),
    ]
  }),

  changed('clique', ['folder.shared'], ({ companyId, shares }, before) =>
    differing(before.shares, shares).map((folderId) => ({ name: 'folder.shared', companyId, folderId })),
  ),
  removed('clique', ['folder.shared'], ({ companyId, shares }) =>
    differing(shares, {}).map((folderId) => ({ name: 'folder.shared', companyId, folderId })),
  ),

  created('link', ['link.created'], (link) => (link.mediaId === null ? [] : [{ name: 'link.created', ...ofLink(link, link.mediaId) }])),
  changed('link', ['link.updated', 'link.deleted'], (link, before) => [
    ...(link.mediaId !== null && link.mediaId !== before.mediaId ? [{ name: 'link.updated' as const, ...ofLink(link, link.mediaId) }] : []),
    ...(link.mediaId === null && before.mediaId !== null ? [{ name: 'link.deleted' as const, ...ofLink(link, before.mediaId) }] : []),
  ]),

  changed('zip', ['zip.ready', 'zip.failed'], (zip, before) => [
    ...when(zip.state === 'DONE' && before.state !== 'DONE', { name: 'zip.ready', ...ofZip(zip) }),
    ...when(zip.state === 'FAILED' && before.state !== 'FAILED', { name: 'zip.failed', ...ofZip(zip) }),
  ]),
  created('share', ['share.created'], (share) => [{ name: 'share.created', ...ofShare(share) }]),
  created('removedShare', ['share.removed'], (share) => [{ name: 'share.removed', ...ofShare(share) }]),
  changed('shareCounts', ['share.visited'], (counts, before) =>
    when(counts.visits > before.visits, { name: 'share.visited', ...ofShare(counts) }),
  ),
  changed('bulk', ['bulk.finished'], ({ companyId, bulkId, userId, ended }, before) =>
    when(ended !== undefined && before.ended === undefined, { name: 'bulk.finished', companyId, bulkId, userId }),
  ),

  created('user', ['user.created'], (user) => user.companies.map((each) => ({ name: 'user.created', ...ofUser(user, each) }))),
  changed('user', ['user.created', 'user.changed', 'user.left'], (user, before) => {
    const [joined, stayed] = [without(user, before), user.companies.filter(({ companyId }) => isMemberOf(before, companyId))]
    return [
      ...joined.map((each) => ({ name: 'user.created' as const, ...ofUser(user, each) })),
      ...stayed
        .filter(({ companyId }) => !isDeepStrictEqual(shownOf(user, companyId), shownOf(before, companyId)))
        .map((each) => ({ name: 'user.changed' as const, ...ofUser(user, each) })),
      ...without(before, user).map((each) => ({ name: 'user.left' as const, ...ofUser(user, each) })),
    ]
  }),
  removed('user', ['user.left'], (user) => user.companies.map((each) => ({ name: 'user.left', ...ofUser(user, each) }))),

  changed('video', ['stream.available', 'stream.failed'], (video, before) => [
    ...when(hasBecome('available', video, before), { name: 'stream.available', ...ofStream(video) }),
    ...when(hasBecome('failed', video, before) || hasFailed(video.nextStream, before.nextStream), {
      name: 'stream.failed',
      ...ofStream(video),
    }),
  ]),
  created('quota', ['company.quota'], (quota) => when(quota.percent > 0, { name: 'company.quota', ...ofQuota(quota) })),
  changed('quota', ['company.quota'], (quota, before) =>
    when(quota.percent > before.percent, { name: 'company.quota', ...ofQuota(quota) }),
  ),
  created('job', ['job.waits'], (job) => when(isWaiting(job), { name: 'job.waits', ...ofJob(job) })),
  changed('job', ['job.waits'], (job, before) =>
    when(isWaiting(job) && (!isWaiting(before) || before.asked !== job.asked), { name: 'job.waits', ...ofJob(job) }),
  ),
]

/**
 * The domain events of a committed change. Changes of technical attributes alone have none: progress, attempts, due times, counters. Some
 * kinds of records have none at all.
 */
export function eventsOf(change: Change): DomainEvent[] {
  return rules.flatMap(({ tell }) => tell(change))
}

/** A filter of the change stream: these kinds of changes of records with these keys. */
export interface ChangePattern extends Pick<KeyPattern, 'pk'> {
  sk: readonly KeyPattern['sk'][]
  happened: readonly Happened[]
}

/**
 * Filters that pass the changes behind these events, and few others. A stream consumer takes few filters, so kinds of records with the same
 * kinds of changes, or fewer, share one.
 */
export function patternsOf(names: readonly EventName[]): ChangePattern[] {
  const wanted = rules.filter((rule) => rule.names.some((name) => names.includes(name)))
  const byRecord = Map.groupBy(wanted, ({ record }) => record)
  const kinds = [...byRecord].map(([record, those]) => ({ ...recordKeys[record], happened: those.map(({ happened }) => happened) }))
  const patterns: (ChangePattern & { sk: KeyPattern['sk'][] })[] = []
  for (const { pk, sk, happened } of kinds.toSorted((a, b) => b.happened.length - a.happened.length)) {
    const host = patterns.find((other) => isDeepStrictEqual(other.pk, pk) && happened.every((each) => other.happened.includes(each)))
    if (host) host.sk.push(sk)
    else patterns.push({ ...(pk && { pk }), sk: [sk], happened })
  }
  return patterns
}

function created<Kind extends RecordKind, Name extends EventName>(
  record: Kind,
  names: readonly Name[],
  tell: (record: Records[Kind]) => readonly DomainEvent<Name>[],
): Rule {
  return {
    ...{ record, names, happened: 'created' },
    tell: (change) => (isChangeOf(record, change) && !change.before && change.after ? withActor(change.after, tell(change.after)) : []),
  }
}

function changed<Kind extends RecordKind, Name extends EventName>(
  record: Kind,
  names: readonly Name[],
  tell: (record: Records[Kind], before: Records[Kind]) => readonly DomainEvent<Name>[],
): Rule {
  return {
    ...{ record, names, happened: 'changed' },
    tell: (change) =>
      isChangeOf(record, change) && change.before && change.after ? withActor(change.after, tell(change.after, change.before)) : [],
  }
}

function removed<Kind extends RecordKind, Name extends EventName>(
  record: Kind,
  names: readonly Name[],
  tell: (before: Records[Kind]) => readonly DomainEvent<Name>[],
): Rule {
  return {
    ...{ record, names, happened: 'removed' },
    tell: (change) => (isChangeOf(record, change) && change.before && !change.after && !change.expired ? tell(change.before) : []),
  }
}

/** Adds the actor of the record's change to its events. */
function withActor({ by }: Records[RecordKind], events: readonly DomainEvent[]): DomainEvent[] {
  return events.map((event) => ({ ...event, ...(by && { by }) }))
}

function when<Event extends DomainEvent>(isSo: boolean, event: Event): Event[] {
  return isSo ? [event] : []
}

const ofFile = ({ companyId, mediaId }: Pick<Records['media'], 'companyId' | 'mediaId'>) => ({ companyId, mediaId })
const fileThen = ({ companyId, mediaId, folders, version }: Records['media']) => ({ companyId, mediaId, folders, version })
const uploadOf = ({ uploadedBy, uploadedVia }: Records['media']) => ({ uploadedBy, ...given({ uploadedVia }) })
const ofFolder = ({ companyId, folderId }: Records['folder']) => ({ companyId, folderId })
const ofJob = ({ companyId, kind }: Records['job']) => ({ companyId, kind })
const ofQuota = ({ companyId, percent, bytes, quotaBytes }: Records['quota']) => ({ companyId, percent, bytes, quotaBytes })
const ofLink = ({ companyId, linkId, folderId }: Records['link'], mediaId: MediaId) => ({ companyId, linkId, folderId, mediaId })
const ofShare = ({ companyId, shareId, userId }: Pick<Records['share'], 'companyId' | 'shareId' | 'userId'>) => ({
  companyId,
  shareId,
  userId,
})
const ofUser = ({ userId }: Records['user'], { companyId }: Membership) => ({ companyId, userId })
/** The memberships of `user` in companies that `other` doesn't belong to. */
const without = (user: Records['user'], other: Records['user']) => user.companies.filter(({ companyId }) => !isMemberOf(other, companyId))
/** What a company's admins see of a user, except the password. */
const shownOf = (user: Records['user'], companyId: CompanyId) => {
  const { username, fullname, email, disabled, identities = [] } = user
  return { username, fullname, email, disabled, identities, admin: isAdminOf(user, companyId) }
}
const ofZip = ({ companyId, jobId, folderId, requester }: Records['zip']) => ({ companyId, jobId, requester, ...given({ folderId }) })
/** The event data of a video that has a stream. */
const ofStream = (video: Records['video']) => ({ ...ofFile(video), requester: video.stream?.requester ?? NOBODY })

/** The attributes without those that are undefined. */
function given<Attributes extends object>(attributes: Attributes): { [Name in keyof Attributes]?: NonNullable<Attributes[Name]> } {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as ReturnType<typeof given<Attributes>>
}

/** A step of the version: another file is the current one, or metadata was edited. */
function stepped(media: Records['media'], before: Records['media']): DomainEvent<'media.edited' | 'media.replaced'>[] {
  const { version, fileNumber } = media
  if (version === before.version) return []
  if (fileNumber === undefined || fileNumber === before.fileNumber) return [{ name: 'media.edited', ...fileThen(media) }]
  return [{ name: 'media.replaced', ...fileThen(media), fileNumber }]
}

function placed(media: Records['media'], before: Records['media']): DomainEvent<'media.placed'>[] {
  const [is, was] = [placementOf(media), placementOf(before)]
  const added = media.folders.filter((contents) => !was.has(contents))
  const removed = before.folders.filter((contents) => !is.has(contents))
  const isOther = media.folders.some((contents) => was.has(contents) && was.get(contents) !== is.get(contents))
  return when(isOther || added.length + removed.length > 0, { name: 'media.placed', ...fileThen(media), added, removed })
}

/** Whether the stream of a video has reached this state. */
function hasBecome(state: Encoding['state'], { stream }: Records['video'], before: Records['video']): boolean {
  return (
    stream?.state === state && (before.stream?.state !== state || (state === 'available' && before.stream.encodingId !== stream.encodingId))
  )
}

const hasFailed = (next: Encoding | undefined, before: Encoding | undefined): boolean =>
  next?.state === 'failed' && before?.state !== 'failed'

/** Folders on which the rights of a clique changed. */
function differing(before: Records['clique']['shares'], after: Records['clique']['shares']): FolderId[] {
  const ids = Object.keys({ ...before, ...after }).filter((id) => !isDeepStrictEqual(before[id], after[id]))
  return ids.map((id) => toFolderId(Number(id)))
}
