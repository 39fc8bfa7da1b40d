import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Item, Key, Table } from '../../../shared/backends/table/port.ts'
import { entriesOf } from '../../../shared/library/history/entries.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { available, getMedia } from '../../../shared/library/media/find.ts'
import { mediaKey, STATES } from '../../../shared/library/media/keys.ts'
import { withKeywords } from '../../../shared/library/media/languages.ts'
import type { AvailableMedia } from '../../../shared/library/media/media.ts'
import { commitSteps } from '../../../shared/library/media/states.ts'
import { everyItem } from '../../../shared/library/pages.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { ProcessEnded } from '../../support/faults.ts'
import { instead } from '../../support/instead.ts'
import { openTestTable } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

/** In seconds, as a clock advances. */
const DAY = 86_400

async function setUp(given = {}) {
  const library = openTestTable()
  await putMedia(library.table, { mediaId: 1, ...given })
  const mediaId = toMediaId(1)
  const read = async () => (await getMedia(library, mediaId)) as AvailableMedia
  const edit = (text: string | null, table: Table = library.table) =>
    editMetadata({ ...library, table }, [mediaId], () => ({ byline: text }))
  const entries = async (media?: AvailableMedia) => Array.fromAsync(entriesOf(library, media ?? (await read())))
  const states = () =>
    Array.fromAsync(everyItem<Item>(library.table, { pk: mediaKey(mediaId).pk, sk: { beginsWith: STATES }, consistent: true }))
  return { ...library, library, mediaId, read, edit, entries, states }
}

/** What a step made of the byline. */
const bylines = (entries: Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>['entries']>>) =>
  entries.map(({ version, before, after }) => [version, before.byline, after.byline])

describe('entries of a file', () => {
  test('are the last 200, each with the values before it', async () => {
    const { edit, entries, states } = await setUp()
    for (let n = 1; n <= 205; n += 1) await edit(`${n}`)
    const expected = Array.from({ length: 200 }, (_, n) => [206 - n, `${204 - n}`, `${205 - n}`])
    assert.deepEqual(bylines(await entries()), expected)
    assert.equal((await states()).length, 201, 'one more than needed, should the next step fail')
  })

  test('are the last 200 whatever steps in between changed nothing, and these keep nothing', async () => {
    const { edit, entries, states, read } = await setUp()
    for (let n = 0; n < 210; n += 1) await edit(n % 2 === 0 ? `${n}` : `${n - 1}`)
    assert.deepEqual([(await read()).version, (await entries()).length, (await states()).length], [211, 105, 105])
  })

  test('of a file that nobody edits cost nothing', async () => {
    const { entries, states } = await setUp({ version: 7 })
    assert.deepEqual([await entries(), await states()], [[], []])
  })

  test('begin with the first edit since there is a history', async () => {
    const { edit, entries } = await setUp({ version: 7, byline: 'Anna' })
    await edit('Berta')
    assert.deepEqual(bylines(await entries()), [[8, 'Anna', 'Berta']])
  })

  test('go after 400 days, whatever the table still has of them', async () => {
    const { edit, entries, clock } = await setUp()
    await edit('one')
    clock.advance(300 * DAY)
    await edit('two')
    clock.advance(100 * DAY)
    assert.equal((await entries()).length, 2)
    clock.advance(1)
    assert.deepEqual(bylines(await entries()), [[3, 'one', 'two']])
    clock.advance(300 * DAY)
    assert.deepEqual(await entries(), [])
  })

  test('leave out what lies beside a state that has expired', async () => {
    const { edit, entries, states, table } = await setUp()
    for (const text of ['one', 'two', 'three']) await edit(text)
    const [, one] = await states()
    await table.delete(one as Key)
    assert.deepEqual(bylines(await entries()), [[4, 'two', 'three']])
  })

  test('stand in the order of their versions when the clock goes back', async () => {
    const { edit, entries, clock } = await setUp()
    await edit('one')
    clock.advance(-10 * DAY)
    await edit('two')
    const told = await entries()
    assert.deepEqual(bylines(told), [
      [3, 'one', 'two'],
      [2, null, 'one'],
    ])
    assert.ok(told[0]!.at < told[1]!.at)
  })

  test('are the same after a writer ends between keeping the state and the step', async () => {
    const { edit, entries, table } = await setUp()
    await edit('one')
    const ending = instead<Table>(table, { transact: () => Promise.reject(new ProcessEnded('before transact')) })
    await assert.rejects(edit('lost', ending), ProcessEnded)
    assert.deepEqual(bylines(await entries()), [[2, null, 'one']])
    await edit('two')
    assert.deepEqual(bylines(await entries()), [
      [3, 'one', 'two'],
      [2, null, 'one'],
    ])
  })

  test('don’t change when a late writer puts an old state again, which the next steps remove', async () => {
    const { edit, entries, states, read, library } = await setUp()
    await edit('first')
    const late = await read()
    for (let n = 1; n <= 205; n += 1) await edit(`${n}`)
    const [before, kept] = [await entries(), await states()]
    await commitSteps(library, [late], async () => undefined)
    assert.equal((await states()).length, kept.length + 1)
    assert.deepEqual(await entries(), before)
    await edit('last')
    assert.equal((await states()).length, kept.length)
    assert.equal((await entries()).length, 200)
  })

  test('tell all of edits at the same time, one after the other', async () => {
    const { library, mediaId, entries } = await setUp()
    const words = Array.from({ length: 20 }, (_, n) => `word ${n}`)
    await Promise.all(
      words.map((word) => editMetadata(library, [mediaId], ({ keywords }) => ({ keywords: withKeywords(keywords, { en: [word] }) }))),
    )
    const told = await entries()
    assert.equal(told.length, 20)
    const added = told.map(({ before, after }) => after.keywords.en?.filter((word) => !before.keywords.en?.includes(word)))
    assert.deepEqual(added.flat().toSorted(), words.toSorted())
  })

  test('are there of all files that one request edits', async () => {
    const { library, read } = await setUp()
    const ids = Array.from({ length: 100 }, (_, n) => n + 1)
    for (const mediaId of ids.slice(1)) await putMedia(library.table, { mediaId })
    await editMetadata(library, ids.map(toMediaId), ({ keywords }) => ({ keywords: withKeywords(keywords, { en: ['one'] }) }))
    for (const id of ids) {
      const [entry, ...others] = await Array.fromAsync(entriesOf(library, available((await getMedia(library, toMediaId(id)))!)))
      assert.deepEqual([entry?.changed, others], [['keywords'], []])
    }
    assert.equal((await read()).version, 2)
  })

  test('hold as much metadata as a file does', async () => {
    const { library, mediaId, entries } = await setUp()
    const description = (letter: string) => Object.fromEntries(['en', 'de'].map((language) => [language, letter.repeat(99_000)]))
    for (const letter of ['a', 'b']) await editMetadata(library, [mediaId], () => ({ description: description(letter) }))
    assert.deepEqual((await entries())[0]?.before.description, description('a'))
  })

  test('tell nothing of a focal point that was taken away where there was none', async () => {
    const { library, mediaId, entries, read } = await setUp()
    await editMetadata(library, [mediaId], () => ({ focalPoint: null }))
    assert.deepEqual([(await read()).version, await entries()], [2, []])
  })
})
