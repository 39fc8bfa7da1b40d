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
    ...{ pk: 'MEDIA#1', sk: 'MEDIA', mediaId: 1, companyId: 2, state: 'available', version: 1, revision: 1, folders: [10, 11] },
    ...{ readOnlyIn: [11], progress: 100, title: {}, uploadKey: 'upload/a.jpg', modified: 0, feedKey: 'f', changedAt: '0' },
  },
  tombstone: { pk: 'MEDIA#1', sk: 'TOMBSTONE', mediaId: 1, companyId: 2, revision: 2, uploadKey: 'upload/a.jpg', ttl: 1 },
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
  user: {
    ...{ pk: 'USER#7', sk: 'USER', userId: 7, username: 'anna', fullname: 'Anna', passwordHash: 'x', companies: [], cliques: [4, 5] },
    ...{ tokenEpoch: 1, disabled: false, created: 0, revision: 1 },
  },
  company: { pk: 'COMPANY#2', sk: 'COMPANY', companyId: 2, name: 'Company', created: 0, streaming: false, stock: false },
  apiKey: { pk: 'KEY#k', sk: 'KEY', keyId: 3, key: 'k', companyId: 2, encryptedSecret: '', grants: [], created: 0 },
  job: {
    ...{ pk: 'JOB#suggest-keywords.1', sk: 'JOB', kind: 'suggest-keywords', subject: '1', companyId: 2, input: {}, asked: 1, askedAt: 0 },
    ...{ attempts: 0, dueKey: 'WAITING#suggest-keywords', dueAt: '0000000002#1970-01-01T00:00:00.000Z' },
  },
} satisfies Record<RecordKind, Item>

/** Every name, as the compiler knows them. */
const names: Record<EventName, true> = {
  ...{
    'media.uploaded': true,
    'media.imported': true,
    'media.revised': true,
    'media.placed': true,
    'media.removed': true,
  },
  ...{ 'folder.created': true, 'folder.moved': true, 'folder.renamed': true, 'folder.tagged': true, 'folder.purged': true },
  ...{ 'grant.changed': true, 'clique.created': true, 'clique.changed': true, 'share.changed': true },
  ...{ 'user.created': true, 'user.changed': true, 'membership.changed': true, 'company.created': true, 'key.created': true },
  'job.waits': true,
}

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk })
const created = (after: Item): Change => ({ id: 'change', key: keyOf(after), after })
const removed = (before: Item): Change => ({ id: 'change', key: keyOf(before), before })
const changed = (before: Item, set: object): Change => ({ id: 'change', key: keyOf(before), before, after: { ...before, ...set, by } })

const file = { companyId: 2, mediaId: 1 }
const ofJob = { companyId: 2, kind: 'suggest-keywords' }
const folder = { companyId: 2, folderId: 10 }
const clique = { companyId: 2, cliqueId: 5 }
const importing = { ...records.media, state: 'importing', progress: 95 }

/** Search engines have to know. */
const revised = { name: 'media.revised' as const, ...file }

/** What each change tells of. */
const table: readonly (readonly [what: string, change: Change, ...events: ({ name: EventName } & Record<string, unknown>)[]])[] = [
  ['an upload is finalized', created({ ...importing, by }), { name: 'media.uploaded', ...file }],
  ['an import ends', changed(importing, { state: 'available', revision: 2 }), { name: 'media.imported', ...file }, revised],
  [
    'an import ends, and keywords are wanted',
    changed(importing, { state: 'available', revision: 2, suggestionsWanted: 5 }),
    { name: 'media.imported', ...file },
    revised,
  ],
  ['keywords are wanted', changed(records.media, { suggestionsWanted: 5, revision: 2 }), revised],
  ['keywords are suggested', changed({ ...records.media, suggestionsWanted: 5 }, { suggestionsWanted: undefined, suggestedAt: 6 })],
  ['a job is asked for', created({ ...records.job, by }), { name: 'job.waits', ...ofJob }],
  ['a job is asked for later', created({ ...records.job, dueKey: 'LATER#suggest-keywords', by })],
  ['a job is asked for again', changed(records.job, { asked: 2 }), { name: 'job.waits', ...ofJob }],
  ['a job has a run', changed(records.job, { dueKey: 'RUNNING#suggest-keywords' })],
  [
    'a job has waited for its time',
    changed({ ...records.job, dueKey: 'LATER#suggest-keywords' }, { dueKey: records.job.dueKey }),
    { name: 'job.waits', ...ofJob },
  ],
  [
    'metadata is edited',
    changed({ ...records.media, bytes: 1, mime: 'image/jpeg' }, { version: 2, revision: 2, title: { en: 'x' } }),
    revised,
  ],
  [
    'an item of the stock catalogue gets its file, and is another version',
    changed(records.media, { state: 'importing', version: 2, revision: 2 }),
    { name: 'media.uploaded', ...file },
    revised,
  ],
  ['an item of the stock catalogue is made that has no file', created({ ...records.media, by }), revised],
  ['an item of the stock catalogue is changed while its file is imported', changed(importing, { version: 2, revision: 2 })],
  [
    'a file is copied, and a read-only copy becomes a full one',
    changed(records.media, { folders: [10, 11, 12], readOnlyIn: [12], revision: 2 }),
    revised,
    { name: 'media.placed', ...file, added: [12], removed: [], changed: [11] },
  ],
  [
    'a file is moved while it is imported',
    changed(importing, { folders: [10, 12], readOnlyIn: [], revision: 2 }),
    { name: 'media.placed', ...file, added: [12], removed: [11], changed: [] },
  ],
  [
    'a file is placed for the first time since placements tell what is read-only',
    changed({ ...records.media, readOnlyIn: undefined }, { readOnlyIn: [], revision: 2 }),
    revised,
  ],
  ['a file is removed', created({ ...records.tombstone, by }), { name: 'media.removed', ...file, uploadKey: 'upload/a.jpg' }],
  [
    'a video is removed',
    created({ ...records.tombstone, kind: 'video', by }),
    { name: 'media.removed', ...file, uploadKey: 'upload/a.jpg', kind: 'video' },
  ],
  ['the record of a removed file goes', removed({ ...records.media, by })],
  ['a file lies in a trashcan anew', changed(records.media, { revision: 2 }), revised],

  [
    'a folder is created',
    created({ ...records.folder, by }),
    { name: 'folder.created', ...folder, parent: null },
    { name: 'grant.changed', ...folder, grants: { 7: ['READ'] } },
  ],
  [
    'a folder is moved',
    changed(records.folder, { parent: 9, dueKey: 'TRASH#1', dueAt: '1' }),
    { name: 'folder.moved', ...folder, from: null, to: 9 },
  ],
  ['a folder is renamed', changed(records.folder, { name: 'New' }), { name: 'folder.renamed', ...folder, folderName: 'New' }],
  ['a folder is tagged', changed(records.folder, { tags: ['tag', 'new'] }), { name: 'folder.tagged', ...folder, tags: ['tag', 'new'] }],
  ['a folder is deleted', changed(records.folder, { deleted: 1 })],
  ['a folder is purged', changed(records.folder, { contents: 99 }), { name: 'folder.purged', ...folder }],
  [
    'a record stands for what a purged folder held',
    created({ ...records.folder, folderId: 99, sk: 'FOLDER#99', contents: 10, deleted: 1, grants: {}, by }),
  ],
  ['the record of a deleted folder goes', removed({ ...records.folder, deleted: 1, by })],
  [
    'grants change: one is given, one ends, one stays',
    changed({ ...records.folder, grants: { 7: ['READ'], 8: ['READ'] } }, { grants: { 7: ['READ'], 9: ['WRITE'] } }),
    { name: 'grant.changed', ...folder, grants: { 8: [], 9: ['WRITE'] } },
  ],

  ['a clique is created', created({ ...records.clique, by }), { name: 'clique.created', ...clique }],
  ['a clique is renamed', changed(records.clique, { name: 'New', revision: 2 }), { name: 'clique.changed', ...clique }],
  [
    'a clique shares another folder instead',
    changed(records.clique, { shares: { 11: ['WRITE'] }, revision: 2 }),
    { name: 'share.changed', ...clique, shares: { 10: [], 11: ['WRITE'] } },
  ],
  ['a clique gets a member', changed(records.clique, { revision: 2 })],
  ['the record of a deleted clique goes', removed({ ...records.clique, by })],

  ['a user is created', created({ ...records.user, by }), { name: 'user.created', userId: 7 }],
  ['a user is disabled', changed(records.user, { disabled: true, tokenEpoch: 2, revision: 2 }), { name: 'user.changed', userId: 7 }],
  [
    'a user joins a clique and leaves another',
    changed(records.user, { cliques: [5, 6], revision: 2 }),
    { name: 'membership.changed', userId: 7, joined: [6], left: [4] },
  ],
  ['a company is created', created({ ...records.company, by }), { name: 'company.created', companyId: 2 }],
  ['an API key is created', created({ ...records.apiKey, by }), { name: 'key.created', companyId: 2, keyId: 3 }],
  ['a video has a record', created({ pk: 'MEDIA#1', sk: 'VIDEO', mediaId: 1, companyId: 2, by })],
  ['what nobody asked for in time goes', { ...removed(records.tombstone), expired: true }],
  ['a pointer is put', created({ pk: 'MEDIA#1', sk: 'FOLDER#10', mediaId: 1, contents: 10, companyId: 2, by })],
  ['a listing is put', created({ pk: 'COMPANY#2', sk: 'CLIQUE#5', cliqueId: 5, companyId: 2 })],
  ['a file gets a link', created({ pk: 'LINK#ab', sk: 'LINK', linkId: 'ab', companyId: 2, alias: 'shop', mediaId: 1, by })],
  ['a membership is put', created({ pk: 'CLIQUE#5', sk: 'USER#7', membershipId: 1, cliqueId: 5, userId: 7, by })],
  ['a session is counted', created({ pk: 'TOKEN#t', sk: 'TOKEN', userId: 7 })],
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

  test('who made it where the record says so: those of earlier versions do not', () => {
    assert.deepEqual(eventsOf(created(importing)), [{ name: 'media.uploaded', ...file }])
  })

  test('the removal of a file as an earlier version made it, which dead letters may still hold', () => {
    assert.deepEqual(eventsOf(removed(records.media)), [{ name: 'media.removed', ...file, uploadKey: 'upload/a.jpg' }])
    assert.deepEqual(patternsOf(['media.removed']), [{ sk: ['TOMBSTONE'], happened: ['created'] }])
  })

  test('of kinds of records to which the same happens in one pattern', () => {
    assert.deepEqual(patternsOf(['media.uploaded', 'media.imported', 'job.waits', 'clique.created', 'folder.purged']), [
      { sk: ['MEDIA', 'JOB'], happened: ['created', 'changed'] },
      { pk: { prefix: 'COMPANY#' }, sk: [{ prefix: 'FOLDER#' }], happened: ['changed'] },
      { sk: ['CLIQUE'], happened: ['created'] },
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
    ...{ attempts: fc.nat(5), looks: fc.nat(5), delayed: fc.boolean() },
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
