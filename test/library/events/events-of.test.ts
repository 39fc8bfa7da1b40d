import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { Change, Item, Key } from '../../../shared/backends/table/port.ts'
import type { Actor } from '../../../shared/library/actor.ts'
import type { EventName } from '../../../shared/library/events/domain-events.ts'
import { type ChangePattern, eventsOf, patternsOf } from '../../../shared/library/events/events-of.ts'
import { type RecordKind, recordKeys } from '../../../shared/library/events/records.ts'
import { toKeyId, toUserId } from '../../../shared/vocabulary/ids.ts'

const by: Actor = { kind: 'user', userId: toUserId(7), keyId: toKeyId(3), requestId: 'request' }

/** A record of each kind, as it is stored. */
const records = {
  media: {
    ...{
      pk: 'MEDIA#1',
      sk: 'MEDIA',
      mediaId: 1,
      companyId: 2,
      state: 'available',
      version: 1,
      revision: 1,
      folders: [10, 11],
      uploadedBy: 8,
    },
    ...{ readOnlyIn: [11], progress: 100, title: {}, uploadKey: 'upload/a.jpg', modified: 0, feedKey: 'f', changedAt: '0' },
  },
  tombstone: { pk: 'MEDIA#1', sk: 'TOMBSTONE', mediaId: 1, companyId: 2, revision: 2, ttl: 1 },
  folder: {
    ...{ pk: 'COMPANY#2', sk: 'FOLDER#10', folderId: 10, companyId: 2, name: 'Folder', parent: null, created: 0 },
    ...{ grants: { 7: ['READ'] }, tags: ['tag'], cover: null },
  },
  clique: {
    pk: 'CLIQUE#5',
    sk: 'CLIQUE',
    cliqueId: 5,
    companyId: 2,
    name: 'Clique',
    thumbnail: null,
    shares: { 10: ['READ'] },
    revision: 1,
  },
  download: {
    ...{
      pk: 'DOWNLOADS#2#2026-01-15',
      sk: '2026-01-15T12:00:00.000Z#ab',
      companyId: 2,
      mediaId: 1,
      time: 0,
      size: null,
      userId: 7,
      keyId: 3,
    },
    ...{ info: null, file: { folders: [10], version: 4 }, ttl: 1 },
  },
  link: {
    ...{ pk: 'LINK#ab', sk: 'LINK', linkId: 'ab', companyId: 2, alias: 'shop', folderId: 10, contents: 10, mediaId: 1, revision: 1 },
    ...{ created: 0, changed: 0 },
  },
  zip: {
    ...{
      pk: 'ZIP#z',
      sk: 'ZIP',
      jobId: 'z',
      requester: { kind: 'user', userId: 7 },
      companyId: 2,
      folderId: 10,
      state: 'PENDING',
      asked: 0,
    },
    ...{ requestId: 'r', revision: 1, stage: 'assemble' },
  },
  bulk: {
    ...{ pk: 'BULK#b', sk: 'BULK', bulkId: 'b', companyId: 2, userId: 7, state: 'PENDING', listed: 1, total: 1, changed: 0, unchanged: 0 },
    ...{ refused: 0, asked: 0, by, ttl: 1 },
  },
  video: {
    ...{ pk: 'MEDIA#1', sk: 'VIDEO', mediaId: 1, companyId: 2, source: { mime: 'video/mp4', width: 2, height: 2, facts: {} }, revision: 1 },
    ...{
      preview: { encodingId: 'p1', state: 'queued', asked: 0 },
      stream: { encodingId: 's1', state: 'encoding', asked: 0, requester: 7, requestId: 'r' },
    },
  },
  job: {
    ...{ pk: 'JOB#suggest-keywords.1', sk: 'JOB', kind: 'suggest-keywords', subject: '1', companyId: 2, input: {}, asked: 1, askedAt: 0 },
    ...{ attempts: 0, dueKey: 'WAITING#suggest-keywords', dueAt: '0000000002#1970-01-01T00:00:00.000Z' },
  },
  quota: { pk: 'COMPANY#2', sk: 'QUOTA', companyId: 2, percent: 80, bytes: 85, quotaBytes: 100, by },
  share: {
    ...{ pk: 'SHARE#s', sk: 'SHARE', shareId: 's', companyId: 2, userId: 7, folderId: 10, title: null, message: null, download: 'none' },
    ...{ upload: false, secretHash: 'h', created: 0, revision: 1, by },
  },
  removedShare: { pk: 'SHARE#s', sk: 'SHARE-REMOVED', shareId: 's', companyId: 2, userId: 7, ttl: 1 },
  user: {
    ...{
      pk: 'USER#7',
      sk: 'USER',
      userId: 7,
      username: 'anna',
      fullname: 'Anna',
      companies: [{ companyId: 2, admin: false }],
      cliques: [],
    },
    ...{ passwordHash: 'h', tokenEpoch: 1, disabled: false, created: 0, revision: 1 },
  },
  shareCounts: { pk: 'SHARE#s', sk: 'SHARE-COUNTS', shareId: 's', companyId: 2, userId: 7, visits: 1, downloads: 0, uploads: 0, bytes: 0 },
} satisfies Record<RecordKind, Item>

/** Every name, as the compiler knows them. */
const names: Record<EventName, true> = {
  ...{ 'media.imported': true, 'media.revised': true, 'media.edited': true, 'media.replaced': true, 'media.placed': true },
  ...{ 'media.downloaded': true, 'media.removed': true, 'import.delayed': true },
  ...{ 'folder.created': true, 'folder.moved': true, 'folder.renamed': true, 'folder.deleted': true, 'folder.shared': true },
  ...{ 'link.created': true, 'link.updated': true, 'link.deleted': true, 'zip.ready': true, 'zip.failed': true, 'bulk.finished': true },
  ...{ 'company.quota': true, 'job.waits': true, 'stream.available': true, 'stream.failed': true },
  ...{ 'share.created': true, 'share.visited': true, 'share.removed': true },
  ...{ 'user.created': true, 'user.changed': true, 'user.left': true },
}

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk })
const created = (after: Item): Change => ({ id: 'change', key: keyOf(after), after })
const removed = (before: Item): Change => ({ id: 'change', key: keyOf(before), before })
const changed = (before: Item, set: object): Change => ({ id: 'change', key: keyOf(before), before, after: { ...before, ...set, by } })

const file = { companyId: 2, mediaId: 1 }
const fileThen = { ...file, folders: [10, 11], version: 1 }
const ofJob = { companyId: 2, kind: 'suggest-keywords' }
const folder = { companyId: 2, folderId: 10 }
const link = { companyId: 2, linkId: 'ab', folderId: 10, mediaId: 1 }
const shareLink = { companyId: 2, shareId: 's', userId: 7 }
const zip = { companyId: 2, jobId: 'z', requester: { kind: 'user', userId: 7 }, folderId: 10 }
const quota = { companyId: 2, percent: 80, bytes: 85, quotaBytes: 100 }
const { stream } = records.video
const importing = { ...records.media, state: 'importing', progress: 95 }

/** Search engines have to know. */
const revised = { name: 'media.revised' as const, ...file }

/** What each change tells of. */
const table: readonly (readonly [what: string, change: Change, ...events: ({ name: EventName } & Record<string, unknown>)[]])[] = [
  ['an upload is finalized', created({ ...importing, by })],
  [
    'an import ends',
    changed(importing, { state: 'available', revision: 2 }),
    { name: 'media.imported', ...fileThen, uploadedBy: 8 },
    revised,
  ],
  ['keywords are wanted', changed(records.media, { suggestionsWanted: 5, revision: 2 }), revised],
  ['keywords are suggested', changed({ ...records.media, suggestionsWanted: 5 }, { suggestionsWanted: undefined, suggestedAt: 6 })],
  ['a job is asked for', created({ ...records.job, by }), { name: 'job.waits', ...ofJob }],
  ['a job is asked for later', created({ ...records.job, dueKey: 'LATER', by })],
  ['a job has a run', changed(records.job, { dueKey: 'RUNNING' })],
  [
    'a job has waited for its time',
    changed({ ...records.job, dueKey: 'LATER' }, { dueKey: records.job.dueKey }),
    { name: 'job.waits', ...ofJob },
  ],
  [
    'metadata is edited',
    changed({ ...records.media, bytes: 1, mime: 'image/jpeg' }, { version: 2, revision: 2, title: { en: 'x' } }),
    revised,
    { name: 'media.edited', ...fileThen, version: 2 },
  ],
  [
    'a file is replaced',
    changed(records.media, { version: 2, revision: 2, fileNumber: 2, stored: 's' }),
    revised,
    { name: 'media.replaced', ...fileThen, version: 2, fileNumber: 2 },
  ],
  [
    'a file that was replaced is edited',
    changed({ ...records.media, fileNumber: 2 }, { version: 2, revision: 2 }),
    revised,
    { name: 'media.edited', ...fileThen, version: 2 },
  ],
  ['something is said of the current number of a file', changed(records.media, { comment: 'Retouched', revision: 2 }), revised],
  [
    'an item of the stock catalogue gets its file, and is another version',
    changed(records.media, { state: 'importing', version: 2, revision: 2 }),
    revised,
  ],
  ['an item of the stock catalogue is made that has no file', created({ ...records.media, by }), revised],
  ['an item of the stock catalogue is changed while its file is imported', changed(importing, { version: 2, revision: 2 })],
  [
    'a file is copied, and a read-only copy becomes a full one',
    changed(records.media, { folders: [10, 11, 12], readOnlyIn: [12], revision: 2 }),
    revised,
    { name: 'media.placed', ...fileThen, folders: [10, 11, 12], added: [12], removed: [] },
  ],
  [
    'a file is edited and moved at once',
    changed(records.media, { folders: [10, 12], readOnlyIn: [], version: 2, revision: 2 }),
    revised,
    { name: 'media.edited', ...fileThen, folders: [10, 12], version: 2 },
    { name: 'media.placed', ...fileThen, folders: [10, 12], version: 2, added: [12], removed: [11] },
  ],
  ['an import is delayed', changed(importing, { delayed: true }), { name: 'import.delayed', ...file }],
  [
    'a file is placed for the first time since placements tell what is read-only',
    changed({ ...records.media, readOnlyIn: undefined }, { readOnlyIn: [], revision: 2 }),
    revised,
  ],
  ['a file is removed', created({ ...records.tombstone, by }), { name: 'media.removed', ...file }],
  [
    'a video is removed',
    created({ ...records.tombstone, kind: 'video', folders: [10], version: 4, by }),
    { name: 'media.removed', ...file, kind: 'video', folders: [10], version: 4 },
  ],
  ['the record of a removed file goes', removed({ ...records.media, by })],
  ['a file lies in a trashcan anew', changed(records.media, { revision: 2 }), revised],

  ['a folder is created', created({ ...records.folder, by }), { name: 'folder.created', ...folder, parent: null }],
  [
    'a trashcan is created',
    created({ ...records.folder, system: 'trash', by }),
    { name: 'folder.created', ...folder, parent: null, system: 'trash' },
  ],
  [
    'a folder is moved',
    changed(records.folder, { parent: 9, dueKey: 'TRASH#1', dueAt: '1' }),
    { name: 'folder.moved', ...folder, from: null, to: 9 },
  ],
  ['a folder is renamed', changed(records.folder, { name: 'New' }), { name: 'folder.renamed', ...folder, parent: null }],
  ['a folder is deleted', changed(records.folder, { deleted: 1 }), { name: 'folder.deleted', ...folder, parent: null }],
  [
    'a record stands for what a purged folder held',
    created({ ...records.folder, folderId: 99, sk: 'FOLDER#99', contents: 10, deleted: 1, grants: {}, by }),
  ],
  [
    'grants change: one is given, one ends, one stays',
    changed({ ...records.folder, grants: { 7: ['READ'], 8: ['READ'] } }, { grants: { 7: ['READ'], 9: ['WRITE'] } }),
    { name: 'folder.shared', ...folder },
  ],
  [
    'a clique shares another folder instead',
    changed(records.clique, { shares: { 11: ['WRITE'] }, revision: 2 }),
    { name: 'folder.shared', companyId: 2, folderId: 10 },
    { name: 'folder.shared', companyId: 2, folderId: 11 },
  ],

  ['a file is downloaded', created({ ...records.download, by }), { name: 'media.downloaded', ...file, folders: [10], version: 4 }],
  [
    'a number of a file is downloaded',
    created({ ...records.download, file: { ...records.download.file, fileNumber: 1 }, by }),
    { name: 'media.downloaded', ...file, folders: [10], version: 4, fileNumber: 1 },
  ],
  ['an item of the stock library is downloaded', created({ ...records.download, file: undefined, by })],
  ['a file gets a link', created({ ...records.link, by }), { name: 'link.created', ...link }],
  ['a link shows another file', changed(records.link, { mediaId: 3, revision: 2 }), { name: 'link.updated', ...link, mediaId: 3 }],
  ['a link is published', changed(records.link, { published: { revision: 1, mediaId: 1 }, extension: 'jpg' })],
  ['a link ends', changed(records.link, { mediaId: null, revision: 2 }), { name: 'link.deleted', ...link }],
  ['a zip is there', changed(records.zip, { state: 'DONE', revision: 2 }), { name: 'zip.ready', ...zip }],
  ['a zip fails', changed(records.zip, { state: 'FAILED', revision: 2 }), { name: 'zip.failed', ...zip }],
  ['a user is made', created({ ...records.user, by }), { name: 'user.created', companyId: 2, userId: 7 }],
  ['a user has another name', changed(records.user, { fullname: 'Berg' }), { name: 'user.changed', companyId: 2, userId: 7 }],
  ['a user is disabled', changed(records.user, { disabled: true, tokenEpoch: 2 }), { name: 'user.changed', companyId: 2, userId: 7 }],
  ['a user has another password', changed(records.user, { passwordHash: 'i', tokenEpoch: 2, revision: 2 })],
  [
    'a user joins a company',
    changed(records.user, { companies: [...records.user.companies, { companyId: 3, admin: false }] }),
    { name: 'user.created', companyId: 3, userId: 7 },
  ],
  [
    'a user becomes admin of one company and leaves another',
    changed(
      { ...records.user, companies: [...records.user.companies, { companyId: 3, admin: false }] },
      { companies: [{ companyId: 2, admin: true }], departures: { 3: 1 } },
    ),
    { name: 'user.changed', companyId: 2, userId: 7 },
    { name: 'user.left', companyId: 3, userId: 7 },
  ],
  [
    'a user leaves the last company',
    changed(records.user, { companies: [], disabled: true }),
    { name: 'user.left', companyId: 2, userId: 7 },
  ],
  [
    'a user is let in again',
    changed({ ...records.user, companies: [], disabled: true }, { companies: [{ companyId: 2, admin: false }], disabled: false }),
    { name: 'user.created', companyId: 2, userId: 7 },
  ],
  [
    'a bulk change ends',
    changed(records.bulk, { state: 'DONE', ended: 5 }),
    { name: 'bulk.finished', companyId: 2, bulkId: 'b', userId: 7 },
  ],
  ['a quota is filled to its first step', created(records.quota), { name: 'company.quota', ...quota }],
  ['a quota is filled to the next step', changed(records.quota, { percent: 95 }), { name: 'company.quota', ...quota, percent: 95 }],
  ['a share link is made', created(records.share), { name: 'share.created', ...shareLink }],
  ['a share link is visited', changed(records.shareCounts, { visits: 2 }), { name: 'share.visited', ...shareLink }],
  ['a file is downloaded by a share link', changed(records.shareCounts, { downloads: 1 })],
  ['a share link is removed', created({ ...records.removedShare, by }), { name: 'share.removed', ...shareLink }],
  ['a video has a record', created({ ...records.video, by })],
  [
    'a stream is there',
    changed(records.video, { stream: { ...stream, state: 'available', shows: [] }, revision: 2 }),
    { name: 'stream.available', ...file, requester: 7 },
  ],
  [
    'a stream failed',
    changed(records.video, { stream: { ...stream, state: 'failed', reason: 'r' }, revision: 2 }),
    { name: 'stream.failed', ...file, requester: 7 },
  ],
  [
    'the e-mail of a stream is sent, and its playlist shows subtitles',
    changed(
      { ...records.video, stream: { ...stream, state: 'available' } },
      { stream: { ...stream, state: 'available', mailed: true, shows: ['a'] } },
    ),
  ],
  ['what nobody asked for in time goes', { ...removed(records.tombstone), expired: true }],
  ['a pointer is put', created({ pk: 'MEDIA#1', sk: 'FOLDER#10', mediaId: 1, contents: 10, companyId: 2, by })],
  ['a membership is put', created({ pk: 'CLIQUE#5', sk: 'USER#7', membershipId: 1, cliqueId: 5, userId: 7, by })],
]

describe('a change tells', () => {
  for (const [what, change, ...events] of table) {
    test(`${events.map(({ name }) => name).join(' and ') || 'nothing'} when ${what}`, () => {
      assert.deepEqual(
        eventsOf(change),
        events.map((event) => ({ ...event, by })),
      )
    })
  }

  test('every event that there is, from records of every kind', () => {
    const told = new Set(table.flatMap(([, change]) => eventsOf(change).map(({ name }) => name)))
    assert.deepEqual(told, new Set(Object.keys(names)))
    assert.deepEqual(new Set([...told].flatMap((name) => patternsOf([name])).flatMap(kindsOf)), new Set(Object.keys(recordKeys)))
  })

  test('who made it where the record says so', () => {
    assert.deepEqual(eventsOf(created(records.media)), [revised])
  })

  test('that folders are shared no more when their clique is deleted', () => {
    assert.deepEqual(eventsOf(removed({ ...records.clique, by })), [{ name: 'folder.shared', ...folder }])
  })

  test('that a user has left when they are deleted', () => {
    assert.deepEqual(eventsOf(removed({ ...records.user, by })), [{ name: 'user.left', companyId: 2, userId: 7 }])
  })

  test('of kinds of records to which the same happens, or less, in one pattern', () => {
    assert.deepEqual(patternsOf(['media.revised', 'media.removed', 'job.waits', 'zip.ready', 'folder.shared']), [
      { sk: ['MEDIA', 'JOB', 'TOMBSTONE', 'ZIP'], happened: ['created', 'changed'] },
      { sk: ['CLIQUE'], happened: ['changed', 'removed'] },
      { pk: { prefix: 'COMPANY#' }, sk: [{ prefix: 'FOLDER#' }], happened: ['changed'] },
    ])
  })
})

/** Kinds of records whose keys fit a pattern. */
const kindsOf = (pattern: ChangePattern) => Object.entries(records).flatMap(([kind, record]) => (fits(pattern, record) ? kind : []))

function fits({ pk, sk }: ChangePattern, key: Key): boolean {
  const isOne = (wanted: ChangePattern['sk'][number]) => (typeof wanted === 'string' ? key.sk === wanted : key.sk.startsWith(wanted.prefix))
  return sk.some(isOne) && (pk === undefined || key.pk.startsWith(pk.prefix))
}

/** As a filter of the stream decides. */
function passes(pattern: ChangePattern, change: Change): boolean {
  const happened = !change.before ? 'created' : !change.after ? 'removed' : 'changed'
  return pattern.happened.includes(happened) && fits(pattern, change.key)
}

const technical = fc.record(
  {
    progress: fc.integer({ min: 0, max: 100 }),
    ...{ attempts: fc.nat(5), looks: fc.nat(5) },
    ...{ revision: fc.nat(), dueKey: fc.string(), dueAt: fc.string(), feedKey: fc.string(), changedAt: fc.string(), ttl: fc.nat() },
    by: fc.constant(by),
  },
  { requiredKeys: [] },
)
const record = fc.constantFrom<Item>(...Object.values(records))

describe('always', () => {
  test('a change of technical attributes alone tells nothing but that a file has another revision', () => {
    fc.assert(
      fc.property(record, technical, (before, set) => {
        const told = eventsOf({ id: 'change', key: keyOf(before), before, after: { ...before, ...set } })
        assert.ok(told.every(({ name }) => name === 'media.revised' && set.revision !== undefined))
      }),
    )
  })

  test('the stream is asked for every change that tells of an event', () => {
    const other = fc.tuple(record, fc.dictionary(fc.constantFrom('state', 'version', 'name', 'parent', 'deleted', 'contents'), fc.nat(3)))
    const change = fc.oneof(
      fc.constantFrom(...table.map(([, each]) => each)),
      other.map(([before, set]) => changed(before, set)),
      other.map(([before, set]) => created({ ...before, ...set })),
      other.map(([before, set]) => removed({ ...before, ...set, by })),
    )
    fc.assert(
      fc.property(change, (each) => {
        for (const { name } of eventsOf(each)) {
          assert.ok(
            patternsOf([name]).some((pattern) => passes(pattern, each)),
            name,
          )
        }
      }),
    )
  })
})
