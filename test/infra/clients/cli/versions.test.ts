import assert from 'node:assert/strict'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { setQuota } from '../../../../shared/library/quota/quota.ts'
import { images } from '../../../support/pictures/index.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { withoutPauses } from '../../../support/without-pauses.ts'
import { signedIn, tokenOf } from './signed-in.ts'

describe('versions on the command line', async () => {
  const { line, library, anna, person, accounts, newFolder, namesIn, run, home } = await signedIn()
  let target: number
  let disk: string
  beforeEach(async () => {
    line.fault = () => undefined
    target = await newFolder()
    disk = temporaryDirectory()
  })
  const write = async (files: Record<string, string | Buffer>) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(disk, path, '..'), { recursive: true })
      await writeFile(join(disk, path), content)
    }
  }
  const there = async (name: string, bytes = name) => {
    const id = await library.upload(new Blob([bytes]), { folder: target, filename: name })
    await library.waitUntilAvailable(id)
    await expect.poll(async () => (await namesIn(target)).includes(name), { timeout: 300_000 }).toBe(true)
    return id
  }
  const replace = (...more: string[]) => run(['upload', `${disk}/`, '--to', String(target), '--on-conflict', 'replace', ...more])
  const numbersOf = async (id: number) =>
    (await library.get('/media/{id}/files', { params: { path: { id } } })).files.map(({ number }) => number)

  describe('upload --on-conflict replace', () => {
    test('makes a file of a known name the next version, others new files, and nothing of equal bytes', async () => {
      const [changed, same] = [await there('changed.txt', 'before'), await there('same.txt')]
      await write({ 'changed.txt': 'after', 'same.txt': 'same.txt', 'new.txt': 'new', 'copy.txt': 'same.txt' })
      const plan = await replace('--dry-run')
      assert.equal(plan.last, 'uploaded 2, already there 2, failed 0')
      for (const told of [/^would replace .*changed\.txt$/m, /^would upload .*new\.txt$/m]) assert.match(plan.stdout, told)
      const { code, json } = await replace('--json', '--transfers', '1')
      assert.deepEqual([code, json.at(-1)], [0, { uploaded: 2, already_there: 2, failed: 0 }])
      assert.deepEqual(
        json.find(({ outcome }) => outcome === 'replaced'),
        { outcome: 'replaced', path: join(disk, 'changed.txt'), id: changed, file_number: 2 },
      )
      assert.deepEqual([await numbersOf(changed), await numbersOf(same)], [[2, 1], [1]])
      assert.equal((await replace()).last, 'uploaded 0, already there 4, failed 0')
      await expect.poll(() => namesIn(target), { timeout: 300_000 }).toEqual(['changed.txt', 'new.txt', 'same.txt'])
      // Without the notes of earlier runs, too.
      await rm(join(home, '.local'), { recursive: true })
      assert.equal((await replace()).last, 'uploaded 0, already there 4, failed 0')
      assert.deepEqual(await numbersOf(changed), [2, 1])
    })

    test('fails for a name that several files have, for one that several of the disk have, and for another type, and goes on', async () => {
      await there('twice.txt', 'one')
      const second = await library.upload(new Blob(['two']), { folder: target, filename: 'twice.txt' })
      await library.waitUntilAvailable(second)
      await expect.poll(async () => (await namesIn(target)).length, { timeout: 300_000 }).toBe(2)
      const [claimed, typed] = [await there('claimed.txt', 'before'), await there('typed.jpg', 'text')]
      await write({ 'twice.txt': 'three', 'claimed.txt': 'first', 'other/claimed.txt': 'second', 'typed.jpg': await images['plain.jpg']() })
      const args = [join(disk, 'other/'), `${disk}/`, '--exclude', 'other/**', '--to', String(target), '--on-conflict', 'replace']
      const { code, last, stderr } = await run(['upload', ...args])
      assert.deepEqual([code, last], [5, 'uploaded 1, already there 0, failed 3'], stderr)
      assert.match(stderr, /twice\.txt: 2 files of the folder have its name: \d+, \d+/)
      assert.match(stderr, /claimed\.txt: Another file of this command is taken for file \d+/)
      assert.match(stderr, /typed\.jpg: /)
      assert.deepEqual([await numbersOf(claimed), await numbersOf(typed)], [[2, 1], [1]])
    })

    test('lets no two files of one name take turns', async () => {
      const id = await there('a.txt')
      await write({ 'one/a.txt': 'a.txt', 'two/a.txt': 'changed' })
      const paths = [join(disk, 'one/'), join(disk, 'two/')]
      for (const order of [paths, paths.toReversed()]) {
        const { code, last } = await run(['upload', ...order, '--to', String(target), '--on-conflict', 'replace', '--transfers', '1'])
        assert.equal(code, 5)
        assert.match(last, /failed 1$/)
      }
      assert.ok((await numbersOf(id)).length <= 2)
    })

    test('takes a file for no other one whose bytes change', async () => {
      const id = await there('a.log', 'yesterday')
      await write({ 'a.1.log': 'yesterday', 'a.log': 'today' })
      assert.equal((await replace()).last, 'uploaded 2, already there 0, failed 0')
      assert.deepEqual(await numbersOf(id), [2, 1])
      await expect.poll(() => namesIn(target), { timeout: 300_000 }).toEqual(['a.1.log', 'a.log'])
      await write({ 'a.log': 'tomorrow' })
      assert.equal((await replace()).last, 'uploaded 1, already there 1, failed 0')
    })

    test('makes two versions of two commands at once', async () => {
      const id = await there('a.txt', 'before')
      await write({ 'one/a.txt': 'one', 'two/a.txt': 'two' })
      const runs = ['one/', 'two/'].map((from) =>
        run(['upload', join(disk, from), '--to', String(target), '--on-conflict', 'replace', '--json']),
      )
      const ended = await Promise.all(runs)
      assert.deepEqual(
        ended.map(({ code }) => code),
        [0, 0],
        ended.map(({ stderr }) => stderr).join(),
      )
      assert.deepEqual(ended.map(({ json }) => json[0]?.file_number).sort(), [2, 3])
      assert.deepEqual(await numbersOf(id), [3, 2, 1])
    })

    test('needs the right to write, ends with the quota, and takes no other way to know files', async () => {
      const companyId = await accounts.company('Small')
      const admin = await person({ companyId, admin: true })
      const as = { MEDIA_LIBRARY_TOKEN: tokenOf(admin) }
      const { id } = (await run(['ls', '--json'], as)).json.find(({ name }) => name === 'Public gallery') as { id: number }
      await write({ 'a.txt': 'before' })
      const upload = (...more: string[]) =>
        run(['upload', `${disk}/`, '--to', String(id), '--wait', '--on-conflict', 'replace', ...more], as)
      assert.equal((await upload()).last, 'uploaded 1, already there 0, failed 0')
      await setQuota(accounts.library, companyId, 10)
      await write({ 'a.txt': 'longer than there is room' })
      for (let again = 0; again < 2; again++) {
        const full = await upload()
        assert.deepEqual([full.code, full.last], [8, 'uploaded 0, already there 0, failed 1'])
      }
      await setQuota(accounts.library, companyId, undefined)
      assert.equal((await upload()).last, 'uploaded 1, already there 0, failed 0')
      assert.equal((await upload('--skip-existing', 'name')).code, 2)
      const file = await there('mine.txt')
      await write({ 'mine.txt': 'changed' })
      line.fault = ({ method, url }) => (method === 'POST' && url === '/upload/register' ? { status: 403 } : undefined)
      const forbidden = await replace()
      assert.deepEqual([forbidden.code, await numbersOf(file)], [7, [1]])
    })

    test('knows a name that the library takes in another form', async () => {
      await write({ ' a .txt ': 'before' })
      const { json } = await run(['upload', `${disk}/`, '--to', String(target), '--wait', '--json'])
      await write({ ' a .txt ': 'after' })
      assert.equal((await replace()).last, 'uploaded 1, already there 0, failed 0')
      assert.deepEqual(await numbersOf(json[0]?.id as number), [2, 1])
    })

    test('waits for the import of the file that it replaces', async () => {
      await write({ 'a.txt': 'before' })
      const { json } = await run(['upload', `${disk}/`, '--to', String(target), '--json'])
      await write({ 'a.txt': 'after' })
      assert.equal((await replace()).last, 'uploaded 1, already there 0, failed 0')
      assert.deepEqual(await numbersOf(json[0]?.id as number), [2, 1])
    })

    test('goes on after its answer was lost, as the same version', async () => {
      withoutPauses()
      const id = await there('a.txt', 'before')
      await write({ 'a.txt': 'after' })
      let tries = 0
      const lost = () => (tries++ === 0 ? 'lose' : { status: 403 })
      line.fault = ({ url }) => (url.startsWith('/upload/finalize') ? lost() : undefined)
      const cut = await replace('--max-errors', '1')
      assert.notEqual(cut.code, 0)
      line.fault = () => undefined
      const { last } = await replace()
      assert.match(last, /uploaded (1, already there 0|0, already there 1), failed 0/)
      await expect.poll(() => numbersOf(id), { timeout: 300_000 }).toEqual([2, 1])
    })

    test('gives a version its metadata also where an earlier run came to its end before', async () => {
      const id = await there('a.txt', 'before')
      await write({ 'a.txt': 'after', 'a.txt.json': '{"title":"After"}' })
      line.fault = ({ url }) => (url === '/media/bulk' ? { status: 403 } : undefined)
      assert.equal((await replace('--sidecars')).code, 7)
      line.fault = () => undefined
      assert.equal((await replace('--sidecars')).last, 'uploaded 0, already there 1, failed 0')
      assert.deepEqual((await library.waitUntilAvailable(id)).metadata.title, { en: 'After' })
      assert.deepEqual(await numbersOf(id), [2, 1])
    })
  })

  test('lists versions, goes back to one, downloads and pins them', async () => {
    const id = await there('a.txt', 'before')
    await write({ 'a.txt': 'after' })
    await replace()
    const restored = await run(['versions', 'restore', String(id), '1', '--comment', 'better so', '--json'])
    assert.deepEqual([restored.code, restored.json[0]?.file_number], [0, 3], restored.stderr)
    assert.match((await run(['versions', 'pin', String(id), '2'])).stdout, /pinned/)
    const { json } = await run(['versions', String(id), '--json'])
    assert.deepEqual(json.at(-1), { versions: 3 })
    assert.deepEqual(
      json.slice(0, -1).map(({ number, current, comment, pinned }) => [number, current, comment, pinned]),
      [
        [3, true, 'better so', false],
        [2, false, null, true],
        [1, false, null, false],
      ],
    )
    const { stdout } = await run(['versions', String(id)])
    assert.match(stdout, new RegExp(`^ +3 {2}current .* 6 B {2}by ${anna.userId} {2}a\\.txt {2}better so$`, 'm'))
    const saved = await run(['versions', 'download', String(id), '2', join(disk, 'new')])
    assert.deepEqual([saved.code, await readFile(join(disk, 'new/a.txt'), 'utf8')], [0, 'after'])
    assert.equal((await run(['versions', 'restore', String(id), '3'])).code, 1)
    for (const missing of [['restore', String(id), '9'], ['download', String(id), '9', disk], ['1']])
      assert.equal((await run(['versions', ...missing])).code, 4, missing.join())
    assert.equal((await run(['versions', 'restore', String(id), 'first'])).code, 2)
  })

  test('tells what was changed, and takes a change back', async () => {
    const id = String(await there('a.txt'))
    await run(['edit', id, '--byline', 'Anna'])
    await run(['edit', id, '--byline', 'Bert'])
    const { json, code } = await run(['history', id, '--json'])
    assert.deepEqual([code, json.at(-1)], [0, { changes: 2 }])
    assert.deepEqual(
      json.slice(0, -1).map(({ version, changed, before, after }) => [version, changed, before, after]),
      [
        [3, ['byline'], { byline: 'Anna' }, { byline: 'Bert' }],
        [2, ['byline'], { byline: null }, { byline: 'Anna' }],
      ],
    )
    assert.match((await run(['history', id])).stdout, /^ +3 {2}.* user \d+ {2}byline {2}\{"byline":"Anna"\} {2}-> {2}\{"byline":"Bert"\}$/m)
    const refused = await run(['history', 'revert', id, '2'])
    assert.deepEqual(
      [refused.code, refused.stderr],
      [1, 'error: Changed again since: byline. With --force they are put back all the same.\n'],
    )
    assert.equal((await run(['history', 'revert', id, '2', '--force'])).last, `file ${id} has version 4`)
    assert.equal((await run(['history', 'revert', id, '9'])).code, 4)
  })
})
