import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { PictureRefused } from '../../../shared/backends/keywords/port.ts'
import { TableUnavailable } from '../../../shared/backends/table/port.ts'
import { setSuggestions } from '../../../shared/library/accounts/companies.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { askForSuggestions } from '../../../shared/library/media/suggestions.ts'
import { pictureOf, setUp } from './set-up.ts'

describe('the job that has keywords suggested for a picture', () => {
  test('gives the file its keywords, beside those of users; its version and the time of its last edit stay', async () => {
    const world = await setUp()
    const { clock } = world.library
    await world.put(1, { keywords: { en: ['harbour'] }, modified: clock.now() })
    await askForSuggestions(world.library, (await world.read(1))!.mediaId)
    const before = (await world.read(1))!
    clock.advance(5)
    await world.run(1)
    const after = (await world.read(1))!
    assert.deepEqual([after.suggestedKeywords, after.keywords], [['Boat'], { en: ['harbour'] }])
    assert.deepEqual([after.version, after.modified], [1, before.modified])
    assert.deepEqual([after.revision, after.suggestedAt], [before.revision + 1, clock.now()])
    assert.ok(after.changedAt! > before.changedAt!, 'search learns of them')
    for (const attribute of ['suggestionsWanted', 'dueKey', 'dueAt']) assert.ok(!(attribute in after), attribute)
    assert.deepEqual(world.seen, [pictureOf(1)])
  })

  test('deliveries that come twice, at the same time and late, are one change', async () => {
    const { waiting, run, read, seen } = await setUp()
    await waiting()
    await Promise.all([run(1), run(1), run(1)])
    const { revision } = (await read(1))!
    await run(1)
    assert.deepEqual([(await read(1))?.revision, (await read(1))?.suggestedKeywords], [revision, ['Boat']])
    assert.ok(seen.length <= 3)
    assert.equal(revision, 3, 'one change asked, one answered')
  })

  test('a delivery that comes before its file, or after the file is gone, does nothing', async () => {
    const { waiting, run, read, library, seen } = await setUp()
    await run(1)
    const mediaId = await waiting()
    await changePointers(library, mediaId, () => new Map())
    await run(1)
    assert.deepEqual([await read(1), seen], [undefined, []])
  })

  test('cut off before the result was written, it comes again and ends', async () => {
    const { waiting, library, run, read } = await setUp()
    await waiting()
    const { transact } = library.table
    library.table.transact = async () => {
      throw new TableUnavailable('cut off')
    }
    await assert.rejects(run(1), TableUnavailable)
    library.table.transact = transact
    assert.ok((await read(1))?.suggestionsWanted, 'it waits')
    await run(1)
    assert.deepEqual((await read(1))?.suggestedKeywords, ['Boat'])
  })

  test('keywords of a picture that was replaced meanwhile are not those of the new one, which waits for its own', async () => {
    const { waiting, suggester, library, run, read } = await setUp()
    const mediaId = await waiting()
    suggester.suggest = async () => {
      await library.table.update(mediaKey(mediaId), { set: { stored: 'replacing' }, add: { revision: 1 } })
      return [{ keyword: 'Boat', confidence: 90 }]
    }
    await run(1)
    const { suggestedKeywords, suggestionsWanted } = (await read(1))!
    assert.deepEqual([suggestedKeywords, suggestionsWanted], [[], library.clock.now()])
    suggester.suggest = async () => [{ keyword: 'Harbour', confidence: 90 }]
    await run(1)
    assert.deepEqual((await read(1))?.suggestedKeywords, ['Harbour'])
  })

  test('an edit meanwhile keeps what the user wrote, and loses no suggestions', async () => {
    const { waiting, suggester, library, run, read } = await setUp()
    const mediaId = await waiting()
    suggester.suggest = async () => {
      await editMetadata(library, [mediaId], () => ({ keywords: { en: ['harbour', 'Boat'] } }))
      return [{ keyword: 'Boat', confidence: 90 }]
    }
    await run(1)
    const { keywords, suggestedKeywords, version } = (await read(1))!
    assert.deepEqual(
      { keywords, suggestedKeywords, version },
      { keywords: { en: ['harbour', 'Boat'] }, suggestedKeywords: ['Boat'], version: 2 },
    )
    await editMetadata(library, [mediaId], () => ({ keywords: {} }))
    assert.deepEqual((await read(1))?.suggestedKeywords, ['Boat'], 'an edit afterwards keeps them, too')
  })

  test('a company that opted out meanwhile shows its picture to nobody, and may be asked again', async () => {
    const { waiting, library, companyId, run, read, seen } = await setUp()
    const mediaId = await waiting()
    await setSuggestions(library, companyId, false)
    await run(1)
    const { suggestionsWanted, suggestedAt, dueAt, suggestedKeywords } = (await read(1))!
    assert.deepEqual({ suggestionsWanted, suggestedAt, dueAt }, { suggestionsWanted: undefined, suggestedAt: undefined, dueAt: undefined })
    assert.deepEqual([suggestedKeywords, seen], [[], []])
    await setSuggestions(library, companyId, true)
    assert.equal(await askForSuggestions(library, mediaId), true)
    await run(1)
    assert.deepEqual((await read(1))?.suggestedKeywords, ['Boat'])
  })

  test('a picture that is refused gets none, and is not shown again', async () => {
    const { waiting, suggester, library, run, read, log } = await setUp()
    const mediaId = await waiting()
    suggester.suggest = async () => {
      throw new PictureRefused('too small')
    }
    await run(1)
    const { suggestedKeywords, suggestedAt } = (await read(1))!
    assert.deepEqual([suggestedKeywords, suggestedAt !== undefined], [[], true])
    assert.equal(await askForSuggestions(library, mediaId), false)
    assert.equal(log.length, 1)
  })
})
