import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { always, setUp } from './set-up.ts'

describe('a zip of a folder', () => {
  test('holds the files of the folder and of those below it, under their names', async () => {
    const { folder, file, request, build, contentsOf } = await setUp()
    const top = await folder('Harbour')
    const inner = await folder('Boats', top.folderId)
    await file(top, 'a.txt', 'A')
    await file(inner, 'b.txt', 'B')
    await file([top, inner], 'both.txt', 'in both')
    const { zip } = await build((await request(top.folderId)).jobId)
    assert.equal(zip.state, 'DONE')
    assert.deepEqual(await contentsOf(zip), { 'a.txt': 'A', 'both.txt': 'in both', 'Boats/b.txt': 'B', 'Boats/both.txt': 'in both' })
  })

  test('is made in as many runs as it takes', async () => {
    const { folder, file, request, build, contentsOf, stored } = await setUp()
    const top = await folder('Harbour')
    const wanted: Record<string, string> = {}
    for (let n = 0; n < 5; n += 1) {
      const inner = await folder(`Folder ${n}`, top.folderId)
      await file(inner, 'picture.jpg', `picture ${n}`, { mime: 'image/jpeg', title: { en: 'Title' } })
      wanted[`Folder ${n}/picture.jpg`] = `picture ${n} with {"title":"Title"}`
    }
    const { zip, runs } = await build((await request(top.folderId)).jobId, always)
    assert.equal(zip.state, 'DONE')
    assert.ok(runs > 5, `${runs} runs`)
    assert.deepEqual(await contentsOf(zip), wanted)
    assert.deepEqual(await stored(), [zip.archive, `zips/${zip.jobId}/contents`])
  })
})
