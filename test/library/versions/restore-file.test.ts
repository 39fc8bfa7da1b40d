import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { setSuggestions } from '../../../shared/library/accounts/companies.ts'
import { formerFile, replacements } from '../../../shared/library/media/files.ts'
import { stateKey } from '../../../shared/library/media/keys.ts'
import { labelsJob } from '../../../shared/library/media/label-job.ts'
import { suggestionJob } from '../../../shared/library/media/suggestions.ts'
import { exchangeFile } from '../../support/exchanged.ts'
import { availableFile } from '../../support/numbers.ts'
import { companyWithFile, ID } from './set-up.ts'

const rendition = { key: 'picture', mime: 'image/jpeg', width: 1, height: 1 }

describe('going back to a former file', () => {
  test('takes its bytes and all that they say, and keeps what users said', async () => {
    const said = { title: { en: 'Title' }, thumbhash: 'hash', geolocation: { source: 'exif', longitude: '1', latitude: '2' } }
    const { table, restore, library } = await companyWithFile({ given: { ...said, copyright: 'Mine' } })
    const first = await availableFile(table, ID)
    await exchangeFile(library, ID, { md5: 'a'.repeat(32), bytes: 9, geolocation: null, kind: 'generic' })
    await table.update({ pk: `MEDIA#${ID}`, sk: 'MEDIA' }, { set: { copyright: 'Ours' }, remove: ['thumbhash'] })
    await restore(1)
    const now = await availableFile(table, ID)
    const kept = [
      'md5',
      'bytes',
      'kind',
      'thumbhash',
      'geolocation',
      'filename',
      'stored',
      'renditions',
      'title',
      'created',
      'uploadedBy',
    ] as const
    for (const name of kept) assert.deepEqual(now[name], first[name], name)
    assert.deepEqual([now.copyright, now.fileNumber, now.lastNumber, now.version], ['Ours', 3, 3, 3])
    const former = await formerFile({ table }, ID, 2)
    assert.deepEqual([former?.state === 'available' && former.md5, former && 'thumbhash' in former], ['a'.repeat(32), false])
  })

  test('keeps the state that it ends, and asks for the labels of its pictures', async () => {
    const { table, restore, exchange } = await companyWithFile()
    await exchange()
    await restore(1)
    assert.equal((await table.get<{ fileNumber: number; pk: string; sk: string }>(stateKey(ID, 2)))?.fileNumber, 2)
    assert.ok(await labelsJob.find({ table }, String(ID)))
    assert.equal(await suggestionJob.find({ table }, String(ID)), undefined)
  })

  test('asks for suggestions where the file never got any', async () => {
    const { table, restore, exchange, library, companyId } = await companyWithFile({ given: { renditions: { '1200px': rendition } } })
    await setSuggestions(library, companyId, true)
    await exchangeFile(library, ID, { suggestedKeywords: ['harbour'] })
    await exchange()
    await restore(1)
    assert.ok(await suggestionJob.find({ table }, String(ID)))
    assert.ok((await availableFile(table, ID)).suggestionsWanted)
    await restore(2)
    assert.equal((await availableFile(table, ID)).suggestionsWanted, undefined)
  })

  test('loses none of those who go back, replace and delete at the same time', async () => {
    const { numbers, usage, exchange, restore, remove, table } = await companyWithFile()
    await exchange(2)
    await exchange(4)
    const outcomes = await Promise.allSettled([restore(1), exchange(8), restore(2), remove(1), exchange(16), remove(2)])
    const refused = outcomes.filter(({ status }) => status === 'rejected').map((each) => (each as PromiseRejectedResult).reason.code)
    assert.ok(
      refused.every((code) => code === 'file_not_found'),
      `a number that is deleted first does not become current any more: ${refused}`,
    )
    const { lastNumber, fileNumber } = await availableFile(table, ID)
    assert.equal(fileNumber, lastNumber)
    const removed = outcomes.filter(({ status }, index) => status === 'fulfilled' && (index === 3 || index === 5)).length
    assert.equal((await numbers()).length, lastNumber! - removed)
    const held = new Map<string | undefined, number>()
    const { stored, bytes } = await availableFile(table, ID)
    for (const number of (await numbers()).filter((each) => each !== fileNumber)) {
      const former = await formerFile({ table }, ID, number)
      held.set(former!.stored, former!.bytes)
    }
    held.delete(stored)
    const versionBytes = held.values().reduce((sum, each) => sum + each, 0)
    assert.deepEqual(await usage(), { bytes: bytes + versionBytes, files: 1, versionBytes })
    assert.deepEqual(await replacements({ table }, ID), [])
  })
})

describe('deleting a former file', () => {
  test('frees bytes once that two numbers share, however they go', async () => {
    const { exchange, restore, remove, usage, numbers } = await companyWithFile()
    await exchange(10)
    await restore(1)
    await exchange(100)
    const outcomes = await Promise.allSettled([remove(1), remove(3), remove(1), remove(3)])
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2)
    assert.deepEqual(await numbers(), [4, 2])
    assert.deepEqual(await usage(), { bytes: 110, files: 1, versionBytes: 10 })
  })

  test('removes what is stored of it alone, and of the first file no copy of others', async () => {
    const { exchange, remove, due, objects, companyId, table } = await companyWithFile()
    await exchange()
    const { stored } = await availableFile(table, ID)
    await exchange()
    const below = `${companyId}/${ID}/`
    const [first, second] = [
      ['original', 'tags.json', 'renditions/1x1'],
      ['original', 'renditions/1x1'].map((name) => `files/${stored}/${name}`),
    ]
    const others = ['files/other/original', 'video/preview.mp4', 'downloads/original.x']
    for (const name of [...first, ...second, ...others]) await objects.put(below + name, Buffer.from('x'), { contentType: 'text/plain' })
    const names = async () => (await objects.list(below)).objects.map(({ key }) => key.slice(below.length))
    await remove(1)
    await due()
    assert.deepEqual(await names(), [...others, ...second].sort())
    await remove(2)
    await due()
    assert.deepEqual(await names(), others.toSorted())
  })
})
