import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../../backends/table/port.ts'
import { isWaiting } from '../jobs/states.ts'
import { placementOf } from '../media/placement.ts'
import type { DomainEvent, EventName } from './domain-events.ts'
import { isChangeOf, type KeyPattern, type RecordKind, type Records, recordKeys } from './records.ts'

/** What happened to a record. */
export type Happened = 'created' | 'changed' | 'removed'

/** What a change of a record tells of. */
interface Rule {
  record: RecordKind
  happened: Happened
  /** What it may tell. */
  names: readonly EventName[]
  /** Whether it is for dead letters of earlier versions: filters of the stream leave such changes out. */
  isPast?: boolean
  /** Nothing for changes of other records. */
  tell(change: Change): readonly DomainEvent[]
}

const rules: readonly Rule[] = [
  created('media', ['media.uploaded', 'media.revised'], (media) => [
    ...when(media.state === 'importing', { name: 'media.uploaded', ...ofFile(media) }),
    // An item of the stock catalogue without a file has nothing to import.
    ...when(media.state === 'available', { name: 'media.revised', ...ofFile(media) }),
  ]),
  changed('media', ['media.uploaded', 'media.imported', 'media.revised', 'media.placed'], (media, before) => [
    // An item of the stock catalogue that had no file gets one.
    ...when(before.state === 'available' && media.state === 'importing', { name: 'media.uploaded', ...ofFile(media) }),
    ...when(before.state === 'importing' && media.state === 'available', { name: 'media.imported', ...ofFile(media) }),
    ...when(before.revision !== media.revision && [media.state, before.state].includes('available'), {
      name: 'media.revised',
      ...ofFile(media),
    }),
    ...placed(media, before),
  ]),
  created('tombstone', ['media.removed'], ({ uploadKey, kind, ...media }) => [
    { name: 'media.removed', ...ofFile(media), ...(uploadKey !== undefined && { uploadKey }), ...(kind !== undefined && { kind }) },
  ]),
  // Earlier versions told it so. The tombstone also says who removed the file.
  {
    ...removed('media', ['media.removed'], (media) =>
      when(media.by === undefined, { name: 'media.removed', ...ofFile(media), uploadKey: media.uploadKey }),
    ),
    isPast: true,
  },

  created('folder', ['folder.created', 'grant.changed'], (folder) => [
    // What a purged folder held has a deleted record.
    ...when(folder.deleted === undefined, { name: 'folder.created', ...ofFolder(folder), parent: folder.parent }),
    ...when(Object.keys(folder.grants).length > 0, { name: 'grant.changed', ...ofFolder(folder), grants: folder.grants }),
  ]),
  changed('folder', ['folder.purged', 'folder.moved', 'folder.renamed', 'folder.tagged', 'grant.changed'], (folder, before) => [
    ...when(before.contents !== folder.contents, { name: 'folder.purged', ...ofFolder(folder) }),
    ...when(before.parent !== folder.parent, { name: 'folder.moved', ...ofFolder(folder), from: before.parent, to: folder.parent }),
    ...when(before.name !== folder.name, { name: 'folder.renamed', ...ofFolder(folder), folderName: folder.name }),
    ...when(!isDeepStrictEqual(before.tags, folder.tags), { name: 'folder.tagged', ...ofFolder(folder), tags: folder.tags }),
    ...when(!isDeepStrictEqual(before.grants, folder.grants), {
      name: 'grant.changed',
      ...ofFolder(folder),
      grants: differing(before.grants, folder.grants),
    }),
  ]),

  created('clique', ['clique.created'], (clique) => [{ name: 'clique.created', ...ofClique(clique) }]),
  changed('clique', ['clique.changed', 'share.changed'], (clique, before) => [
    ...when(before.name !== clique.name || before.thumbnail !== clique.thumbnail, { name: 'clique.changed', ...ofClique(clique) }),
    ...when(!isDeepStrictEqual(before.shares, clique.shares), {
      name: 'share.changed',
      ...ofClique(clique),
      shares: differing(before.shares, clique.shares),
    }),
  ]),

  created('user', ['user.created'], ({ userId }) => [{ name: 'user.created', userId }]),
  changed('user', ['user.changed', 'membership.changed'], (user, before) => {
    const { userId } = user
    const [joined, left] = [without(user.cliques, before.cliques), without(before.cliques, user.cliques)]
    return [
      ...when(!toldOfUsers.every((attribute) => isDeepStrictEqual(user[attribute], before[attribute])), { name: 'user.changed', userId }),
      ...when(joined.length > 0 || left.length > 0, { name: 'membership.changed', userId, joined, left }),
    ]
  }),
  created('company', ['company.created'], ({ companyId }) => [{ name: 'company.created', companyId }]),
  created('apiKey', ['key.created'], ({ companyId, keyId }) => [{ name: 'key.created', companyId, keyId }]),
  created('job', ['job.waits'], (job) => when(isWaiting(job), { name: 'job.waits', ...ofJob(job) })),
  changed('job', ['job.waits'], (job, before) =>
    when(isWaiting(job) && (!isWaiting(before) || before.asked !== job.asked), { name: 'job.waits', ...ofJob(job) }),
  ),
]

/**
 * What a committed change tells of, in the words of the library. Nothing for changes of technical attributes alone: progress, attempts, times at
 * which something is due, counters, and for records that say nothing of themselves.
 */
export function eventsOf(change: Change): DomainEvent[] {
  return rules.flatMap(({ tell }) => tell(change))
}

/** Changes of the stream: of records that have one of these sort keys, to which one of these happened. */
export interface ChangePattern extends Pick<KeyPattern, 'pk'> {
  sk: readonly KeyPattern['sk'][]
  happened: readonly Happened[]
}

/**
 * The changes that can tell of these events, and as few others as keys allow. Kinds of records to which the same happens share a pattern, because
 * a stream takes few of them.
 */
export function patternsOf(names: readonly EventName[]): ChangePattern[] {
  const wanted = rules.filter((rule) => !rule.isPast && rule.names.some((name) => names.includes(name)))
  const byRecord = Map.groupBy(wanted, ({ record }) => record)
  const kinds = [...byRecord].map(([record, those]) => ({ ...recordKeys[record], happened: those.map(({ happened }) => happened) }))
  const alike = Map.groupBy(kinds, ({ pk, happened }) => JSON.stringify([pk, happened.toSorted()]))
  return [...alike.values()].map((those) => ({ ...those[0]!, sk: those.map(({ sk }) => sk) }))
}

function created<Kind extends RecordKind, Name extends EventName>(
  record: Kind,
  names: readonly Name[],
  tell: (record: Records[Kind]) => readonly DomainEvent<Name>[],
): Rule {
  return {
    ...{ record, names, happened: 'created' },
    tell: (change) => (isChangeOf(record, change) && !change.before && change.after ? made(change.after, tell(change.after)) : []),
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
      isChangeOf(record, change) && change.before && change.after ? made(change.after, tell(change.after, change.before)) : [],
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

/** Events with who made the change: the record says so. */
function made({ by }: Records[RecordKind], events: readonly DomainEvent[]): DomainEvent[] {
  return events.map((event) => ({ ...event, ...(by && { by }) }))
}

function when<Event extends DomainEvent>(isSo: boolean, event: Event): Event[] {
  return isSo ? [event] : []
}

const ofFile = ({ companyId, mediaId }: Pick<Records['media'], 'companyId' | 'mediaId'>) => ({ companyId, mediaId })
const ofFolder = ({ companyId, folderId }: Records['folder']) => ({ companyId, folderId })
const ofJob = ({ companyId, kind }: Records['job']) => ({ companyId, kind })
const ofClique = ({ companyId, cliqueId }: Records['clique']) => ({ companyId, cliqueId })

function placed(media: Records['media'], before: Records['media']): DomainEvent<'media.placed'>[] {
  const [is, was] = [placementOf(media), placementOf(before)]
  const added = media.folders.filter((contents) => !was.has(contents))
  const removed = before.folders.filter((contents) => !is.has(contents))
  const changed = media.folders.filter((contents) => was.has(contents) && was.get(contents) !== is.get(contents))
  return when(added.length + removed.length + changed.length > 0, { name: 'media.placed', ...ofFile(media), added, removed, changed })
}

/** What a user's record says of the user, but for what events of their own tell. */
const toldOfUsers = ['username', 'fullname', 'email', 'passwordHash', 'companies', 'disabled', 'profileImage'] as const

/** Entries that are others now, as they are now: empty where there is none any more. */
function differing<Value>(before: Record<string, Value[]>, after: Record<string, Value[]>): Record<string, Value[]> {
  const ids = Object.keys({ ...before, ...after }).filter((id) => !isDeepStrictEqual(before[id], after[id]))
  return Object.fromEntries(ids.map((id) => [id, after[id] ?? []]))
}

function without<Value>(these: readonly Value[], those: readonly Value[]): Value[] {
  return these.filter((value) => !those.includes(value))
}
