import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Actor } from '../../../shared/library/actor.ts'
import { feedPosition } from '../../../shared/library/media/change-feed.ts'
import { mediaChange } from '../../../shared/library/media/changes.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { getMedia, getTombstone } from '../../../shared/library/media/find.ts'
import { countingAttempt, crashedAttempts, fileCreation, importEnd } from '../../../shared/library/media/importing.ts'
import { type FileFacts, isAvailable, type MediaRecord } from '../../../shared/library/media/media.ts'
import { placementOf, withoutPointers, withPointer } from '../../../shared/library/media/placement.ts'
import { changePointers, findPointer, removePointers } from '../../../shared/library/media/pointers.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import { toContentsId, toKeyId, toMediaId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { jobDue } from '../../support/former-work.ts'
import { openTestTable } from '../../support/library.ts'
import { COMPANY, folderWith, putFolders, putMedia } from '../../support/media.ts'

const FILE = toMediaId(1)

const editor: Actor = { kind: 'user', userId: toUserId(7), keyId: toKeyId(3), requestId: 'request' }

/** A library with two folders, and a file of before anybody noted who changed it. */
async function setUp(given: Partial<MediaRecord> = {}) {
  const opened = openTestTable()
  const { table, clock } = opened
  const library = { ...opened, by: editor }
  await putFolders(library, [10, 11])
  const media = await putMedia(table, { mediaId: 1, folders: [10], created: clock.now(), modified: clock.now(), ...given })
  clock.advance(60)
  return { library, clock, media, read: () => getMedia(library, FILE) }
}

const facts: FileFacts = {
  ...{ kind: 'image' as const, mime: 'image/jpeg', extension: 'jpg', crc32: 0, bytes: 1, width: 1, height: 1 },
  ...{ iptc: null, geolocation: null, cameraCreated: null, suggestedKeywords: [], renditions: {} },
}

describe('a change of a file counts its revision, says who made it and has a position in the feed', () => {
  type Library = Awaited<ReturnType<typeof setUp>>['library']
  const importing = { state: 'importing', progress: 75, delayed: true, attempts: 1, kind: undefined, ...jobDue(1, 0) } as const
  const changes: Record<
    string,
    { given?: Partial<MediaRecord>; make(library: Library): Promise<unknown>; version: number; isModified: boolean }
  > = {
    edited: { make: (library) => editMetadata(library, [FILE], () => ({ title: { en: 'x' } })), version: 2, isModified: true },
    copied: {
      make: (library) => changePointers(library, FILE, (placement) => withPointer(placement, toContentsId(11), 'full')),
      version: 1,
      isModified: false,
    },
    'removed from a folder that is gone': {
      given: { folders: [10, 11].map(toContentsId) },
      make: (library) => removePointers(library, [FILE], toContentsId(11)),
      version: 1,
      isModified: false,
    },
    imported: {
      given: importing,
      make: async (library) =>
        library.table.transact(importEnd(library, (await getMedia(library, FILE))!, facts, { suggestions: false, preview: false })),
      version: 1,
      isModified: true,
    },
  }
  for (const [name, { given, make, version, isModified }] of Object.entries(changes)) {
    test(name, async () => {
      const { library, clock, media, read } = await setUp(given)
      await make(library)
      const after = (await read())!
      const { feedKey, changedAt } = feedPosition(media, clock.now())
      assert.deepEqual(
        { by: after.by, revision: after.revision, feedKey: after.feedKey, changedAt: after.changedAt },
        { by: editor, revision: 2, feedKey, changedAt },
      )
      assert.deepEqual([after.version, after.modified], [version, isModified ? clock.now() : media.modified])
      assert.ok(isAvailable(after))
      for (const attribute of ['delayed', 'attempts', 'dueKey', 'dueAt']) assert.ok(!(attribute in after), attribute)
    })
  }

  test('a file that is imported is not in the feed, wherever it is put', async () => {
    const { library, read } = await setUp({ ...importing, feedKey: undefined, changedAt: undefined })
    await library.table.update({ pk: 'MEDIA#1', sk: 'MEDIA' }, { remove: ['feedKey', 'changedAt'] })
    await changePointers(library, FILE, (placement) => withPointer(placement, toContentsId(11), 'full'))
    const { feedKey, revision, state } = (await read())!
    assert.deepEqual({ feedKey, revision, state }, { feedKey: undefined, revision: 2, state: 'importing' })
  })

  test('a change of what is not there any more as it was read fails', async () => {
    const { library, media } = await setUp()
    const { operation } = mediaChange(library, media, { placed: placementOf({ folders: [toContentsId(10)] }) })
    await library.table.transact({ operation })
    await assert.rejects(library.table.transact({ operation }), { name: 'ConditionFailed' })
  })
})

test('a new file, its pointer and its tombstone say who made, put and removed it', async () => {
  const { library, clock } = await setUp()
  const folder = (await loadTree(library, COMPANY)).get(folderWith(11))!
  await library.table.transact(
    fileCreation(
      library,
      { mediaId: toMediaId(2), companyId: COMPANY, filename: 'a.jpg', uploadedBy: toUserId(7), uploadKey: 'upload/a.jpg' },
      folder,
    ),
  )
  const { by, state, version, revision, folders } = (await getMedia(library, toMediaId(2)))!
  assert.deepEqual({ by, state, version, revision, folders }, { by: editor, state: 'importing', version: 1, revision: 1, folders: [11] })
  assert.deepEqual((await findPointer(library, toMediaId(2), toContentsId(11)))?.by, editor)
  const remover: Actor = { kind: 'job', job: 'expire-trash', run: '1' }
  await changePointers({ ...library, by: remover }, toMediaId(2), (placement) => withoutPointers(placement, new Set([toContentsId(11)])))
  const tombstone = await getTombstone(library, toMediaId(2))
  assert.deepEqual([tombstone?.by, tombstone?.uploadKey, tombstone?.revision], [remover, 'upload/a.jpg', 2])
  assert.equal(tombstone?.ttl, clock.now() / 1000 + 90 * 86_400)
})

describe('notes on an import', () => {
  const importing = { state: 'importing', progress: 0, kind: undefined, ...jobDue(1, 0) } as const

  test('count attempts that crash', async () => {
    const { library, read } = await setUp({ ...importing, attempts: 2 })
    assert.equal(crashedAttempts((await read())!), 2)
    const attempt = countingAttempt(library, FILE, async () => {
      assert.equal(crashedAttempts((await read())!), 3, 'while it runs nobody knows how it ends')
      throw new Error('no such tool')
    })
    await assert.rejects(attempt)
    assert.equal(crashedAttempts((await read())!), 2)
  })
})
