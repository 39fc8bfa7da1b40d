import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it, onTestFinished } from 'vitest'
import { numberedBy } from '../../../../infra/admin/transfer/import-versions.ts'
import { VersionRows } from '../../../../infra/admin/transfer/version-rows.ts'
import { VERSION_COLUMNS } from '../../../../infra/admin/transfer/version-table.ts'
import { NOBODY } from '../../../../shared/vocabulary/ids.ts'

const MD5 = '0cc175b9c0f1b6a831c399e269772661'
const former = `12,1,false,available,a.txt,versions/12/1-a.txt,${MD5},1,2026-05-17T10:00:00.000Z,0,,false`
const current = `12,2,true,available,b.txt,data/b.txt,${MD5},1,2026-05-17T10:00:00.000Z,301,"Better, so",true`
const failed = '12,3,false,failed,c.txt,,,1,2026-05-17T10:00:00.000Z,301,,false'
const removed = '12,5,,removed,,,,,,,,'

const read = (...rows: string[]) => VersionRows.read(Readable.from([[VERSION_COLUMNS.join(','), ...rows].join('\r\n')]))

describe('the table of versions', () => {
  it('tells the versions of a file, and files that never came', async () => {
    const rows = await read(former, current, failed, removed, current.replaceAll('12', '13'))
    onTestFinished(() => rows[Symbol.asyncDispose]())
    const versions = rows.of(12)!
    assert.deepEqual([versions.former.map(({ number }) => number), versions.failed.map(({ number }) => number)], [[1], [3]])
    const { number, comment, pinned, uploaded_by: by, created } = versions.current
    assert.deepEqual([number, comment, pinned, by, created], [2, 'Better, so', true, 301, Date.UTC(2026, 4, 17, 10)])
    assert.equal(versions.lastNumber, 5)
    assert.equal(numberedBy(versions, () => undefined).numbered?.fileBy, NOBODY, 'who left is not the uploader of the first')
    assert.equal(rows.of(14), undefined)
    assert.deepEqual(
      [...rows.untaken()].map(({ message }) => message),
      ['names file 13, which was not taken'],
    )
  })

  it('is refused where it is empty, and may have columns alone', async () => {
    await assert.rejects(VersionRows.read(Readable.from([''])), /it is empty/)
    await (await read())[Symbol.asyncDispose]()
  })

  it.each([
    ['has a number twice', [current, former, former], /row 3 has a number of file 12/],
    ['has no current version', [former], /file 12 must have one current/],
    ['has two current versions', [current, current.replace('12,2', '12,3')], /file 12 must have one current/],
    ['has a version above the current one', [current, former.replace('12,1', '12,3')], /file 12 must have one current/],
    ['leads to another file', [former.replace('versions/12/', 'versions/13/')], /row 1 has a path/],
    ['leads out of its folder', [former.replace('1-a.txt', '..')], /row 1 has a path/],
    ['leads out of the export', [former.replace('versions/12/1-a.txt', '/etc/passwd')], /row 1 has a path/],
    ['leads into a folder of its folder', [former.replace('1-a.txt', 'x/1-a.txt')], /row 1 has a path/],
    ['has no MD5', [former.replace(MD5, 'md5')], /row 1: md5 must be/],
    ['has a number that is none', [former.replace('12,1', '12,01')], /row 1: number must be/],
    ['has an id that no file has', [former.replace('12,1', '4294967296,1')], /row 1: media_id/],
    ['has a time that is none', [former.replace('2026-05-17T10', '2026-05-32T10')], /row 1: created/],
    ['has a state that there is not', [former.replace('available', 'importing')], /row 1: state/],
    ['is cut off within quotes', [current.slice(0, -10)], /./],
  ])('is refused where it %s', async (_, rows, problem) => {
    await assert.rejects(read(...rows), problem)
  })
})
