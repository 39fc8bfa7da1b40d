import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { withToken } from '../../../../infra/clients/client/client.ts'
import { setQuota } from '../../../../shared/library/quota/quota.ts'
import { writeXmp } from '../../../../shared/tools/sidecars/xmp.ts'
import { images } from '../../../support/pictures/index.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { withoutPauses } from '../../../support/without-pauses.ts'
import { signedIn, tokenOf } from './signed-in.ts'

describe('upload', async () => {
  const { line, service, person, accounts, anna, token, library, newFolder, namesIn, run, home } = await signedIn()
  let target: number
  let disk: string
  beforeEach(async () => {
    line.fault = () => undefined
    line.carried.length = 0
    target = await newFolder()
    disk = temporaryDirectory()
  })
  const files = (files: Record<string, string | Buffer>) =>
    Promise.all(
      Object.entries(files).map(async ([path, content]) => {
        await mkdir(join(disk, path, '..'), { recursive: true })
        await writeFile(join(disk, path), content)
      }),
    )
  const forty = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.txt`, `text ${index}`]))
  /** Names of all files below the target, when all are imported. */
  const there = async (count: number): Promise<string[]> => {
    await expect.poll(async () => (await namesIn(target)).length, { timeout: 300_000 }).toBeGreaterThanOrEqual(count)
    return namesIn(target)
  }
  const sent = () =>
    line.carried.filter(({ method, url }) => method === 'POST' && !/^\/(upload\/register|folder|authenticate)/.test(url)).length

  test('makes folders of folders, leaves junk out, and does nothing the second time', async () => {
    const names = { 'a.txt': 'a', 'same.txt': 'a', 'empty.txt': '', 'in/b\nb.txt': 'b', 'in/deep/# % 🌊.txt': 'c', 'in/é "1" \\.txt': 'd' }
    await files({ ...names, '.DS_Store': 'junk', '@eaDir/x': 'junk', 'in/._a.txt': 'junk', 'in/Thumbs.db': 'junk' })
    const first = await run(['upload', disk, '--to', String(target)])
    assert.deepEqual([first.code, first.last, first.stderr], [0, 'uploaded 6, already there 0, failed 0', ''])
    assert.deepEqual(await there(6), ['a.txt', 'same.txt', 'empty.txt', 'b_b.txt', '# % 🌊.txt', 'é "1" _.txt'].sort())
    const before = sent()
    const second = await run(['upload', disk, '--to', String(target), '--json'])
    assert.deepEqual(second.json.at(-1), { uploaded: 0, already_there: 6, failed: 0 })
    assert.equal(second.stdout.split('\n').length - 1, second.json.length)
    const tree = await run(['tree', String(target)])
    assert.equal(tree.last, 'folders 3')
    // Without its state it compares what is in each folder.
    await rm(join(home, '.local'), { recursive: true })
    assert.equal((await run(['upload', disk, '--to', String(target)])).last, 'uploaded 0, already there 6, failed 0')
    assert.equal(sent(), before)
    const contents = await run(['upload', `${disk}/`, '--to', String(target), '--include', '*.txt', '--exclude', 'in/**', '--wait'])
    assert.equal(contents.last, 'uploaded 3, already there 0, failed 0')
    assert.match((await run(['ls', String(target)])).stdout, /a\.txt/)
  })

  test('knows a name that a disk spells in another form', async () => {
    const composed = 'é.txt'.normalize('NFC')
    await files({ [`${'é'.normalize('NFD')}/${composed.normalize('NFD')}`]: 'e' })
    assert.equal((await run(['upload', `${disk}/`, '--to', String(target)])).last, 'uploaded 1, already there 0, failed 0')
    assert.deepEqual(await there(1), [composed])
    await rm(join(home, '.local'), { recursive: true })
    const again = await run(['upload', `${disk}/`, '--to', String(target), '--skip-existing', 'name'])
    assert.equal(again.last, 'uploaded 0, already there 1, failed 0')
    assert.match((await run(['tree', String(target)])).stdout, new RegExp('é'.normalize('NFC')))
  })

  test('takes what was changed or removed since', async () => {
    await files({ 'a.txt': 'a', 'b.txt': 'b' })
    await run(['upload', `${disk}/`, '--to', String(target), '--wait'])
    await writeFile(join(disk, 'a.txt'), 'another')
    const id = (await run(['ls', String(target), '--json'])).json.find(({ name }) => name === 'b.txt')?.id as number
    await library.post('/media/{id}/folder/{folderId}/move_to_trash', { params: { path: { id, folderId: target } } })
    assert.equal((await run(['upload', `${disk}/`, '--to', String(target)])).last, 'uploaded 2, already there 0, failed 0')
  })

  test('waits for a network that is gone, at each step', async () => {
    await files({ 'in/a.txt': 'a', 'in/b.bin': randomBytes(2 ** 21) })
    withoutPauses()
    const gone = new Map<string, number>()
    line.fault = ({ method, url }) => {
      const step = `${method} ${url.replace(/[?\d].*$/, '').replace(/(finalize\/).*/, '$1')}`
      // A command that begins without a network ends soon.
      if (['GET /whoami', 'GET /folder/'].includes(step)) return undefined
      gone.set(step, (gone.get(step) ?? 0) + 1)
      return gone.get(step)! <= 10 ? 'break' : undefined
    }
    const { last, stderr } = await run(['upload', `${disk}/`, '--to', String(target)])
    assert.deepEqual([last, stderr], ['uploaded 2, already there 0, failed 0', ''])
    assert.ok(gone.has('POST /folder') && gone.has('POST /upload/register') && gone.has('POST /-/uploads'), [...gone.keys()].join())
    line.fault = () => undefined
    assert.deepEqual(await there(2), ['a.txt', 'b.bin'])
  })

  test('counts what can not be read, and goes on', async () => {
    await files({ 'a.txt': 'a', 'in/b.txt': 'b' })
    await symlink('nowhere', join(disk, 'broken'))
    await symlink('..', join(disk, 'in/loop'))
    await symlink('../a.txt', join(disk, 'in/link.txt'))
    const { code, last, stderr } = await run(['upload', `${disk}/`, '--to', String(target)])
    assert.deepEqual([code, last], [5, 'uploaded 3, already there 0, failed 1'])
    assert.match(stderr, /failed: .*broken/)
  })

  test('tells a file that grows while it is read, and uploads no half of it', async () => {
    await files({ 'growing.bin': randomBytes(3 * 2 ** 20) })
    const path = join(disk, 'growing.bin')
    line.fault = ({ method, url }) => {
      if (method === 'POST' && url === '/upload/register') void appendFile(path, 'more')
      return undefined
    }
    const { code, last, stderr } = await run(['upload', path, '--to', String(target)])
    assert.deepEqual([code, last], [5, 'uploaded 0, already there 0, failed 1'])
    assert.match(stderr, /changed/)
    line.fault = () => undefined
    assert.equal((await run(['upload', path, '--to', String(target)])).last, 'uploaded 1, already there 0, failed 0')
    assert.deepEqual(await there(1), ['growing.bin'])
  })

  test('ends at once when the token has ended, and counts all files', async () => {
    await files(forty)
    const ending = await service.signIn({ username: anna.username, password: anna.password })
    let ended: Promise<unknown> | undefined
    line.fault = () => {
      if (sent() >= 10) ended ??= fetch(`${service.baseUrl}/session`, { method: 'DELETE', headers: { authorization: ending } })
      return undefined
    }
    const as = { MEDIA_LIBRARY_TOKEN: ending.replace(/^.*Token=/, '') }
    const { code, json, stderr } = await run(['upload', `${disk}/`, '--to', String(target), '--transfers', '1', '--json'], as)
    assert.equal(((await ended) as Response).status, 200)
    const { uploaded, already_there, failed } = json.at(-1) as Record<string, number>
    assert.deepEqual([code, uploaded! + already_there! + failed!], [7, 40])
    assert.ok(failed! > 0)
    assert.match(stderr, /media-library login/)
  })

  test('ends when the quota is used up, counts all files, and makes none twice when there is room again', async () => {
    const companyId = await accounts.company('Small')
    const admin = await person({ companyId, admin: true })
    const as = { MEDIA_LIBRARY_TOKEN: tokenOf(admin) }
    const own = withToken({ url: line.url }, as.MEDIA_LIBRARY_TOKEN)
    const { id } = await own.post('/folder', { body: { name: 'Target' } })
    await setQuota(accounts.library, companyId, 100)
    await files(forty)
    const upload = () => run(['upload', `${disk}/`, '--to', String(id), '--json'], as)
    for (let full = 0; full < 2; full++) {
      const { code, json, stderr } = await upload()
      const { uploaded, already_there, failed } = json.at(-1) as Record<string, number>
      assert.deepEqual([code, uploaded! + already_there! + failed!], [8, 40])
      assert.ok(failed! > 0)
      assert.match(stderr, /quota/)
      assert.ok(stderr.split('\n').length < 20, stderr)
    }
    await setQuota(accounts.library, companyId, undefined)
    const { code, json } = await upload()
    assert.deepEqual([code, json.at(-1)!.failed], [0, 0])
    const query = { folder_ids: [id], return_values: ['filename' as const] }
    const names = async () => (await Array.fromAsync(own.searchAll(query))).map(({ filename }) => filename!)
    await expect.poll(async () => (await names()).length, { timeout: 300_000 }).toBeGreaterThanOrEqual(40)
    assert.equal(line.carried.filter(({ url }) => url === '/upload/register').length, 40)
    assert.deepEqual((await names()).sort(), Object.keys(forty).sort())
  })

  test('reads none of the files that it has uploaded, and writes no token into its state', async () => {
    await files({ 'a.txt': 'a' })
    const path = join(disk, 'a.txt')
    await utimes(path, 1e9, 1e9)
    await run(['upload', path, '--to', String(target)])
    // Same size and time: whoever reads it sees other bytes.
    await writeFile(path, 'b')
    await utimes(path, 1e9, 1e9)
    assert.equal((await run(['upload', path, '--to', String(target)])).last, 'uploaded 0, already there 1, failed 0')
    const { stdout } = await run(['upload', path, '--to', String(target), '--dry-run', '--skip-existing', 'none'])
    assert.match(stdout, /would upload/)
    const states = join(home, '.local/state/media-library')
    for (const name of await readdir(states)) assert.ok(!(await readFile(join(states, name), 'utf8')).includes(token))
  })

  test('gives files the metadata of a table, and of what lies beside them', async () => {
    const sidecar = { metadata: { title: { en: 'Beside', da: 'Ved siden af' }, keywords: { en: ['x'] } }, byline: 'Anna' }
    const xmp = writeXmp({ title: { da: 'Havn' }, description: {}, byline: 'Bert', copyright: '', keywords: ['sea'] })
    await files({ 'a.txt': 'a', 'in/b.txt': 'b', 'c.json': '{}', 'in/b.txt.json': JSON.stringify(sidecar), 'd.txt': 'd', 'd.xmp': xmp })
    const table = join(temporaryDirectory(), 'table.csv')
    await writeFile(table, 'path,title,keywords,copyright\n"a.txt","A, title",one; two,Acme\n')
    const uploaded = await run(['upload', `${disk}/`, '--to', String(target), '--metadata', table, '--sidecars', '--json'])
    assert.deepEqual([uploaded.code, uploaded.json.at(-1)], [0, { uploaded: 4, already_there: 0, failed: 0 }], uploaded.stderr)
    const documentOf = (name: string) =>
      library.waitUntilAvailable(uploaded.json.find(({ path }) => String(path).endsWith(name))?.id as number)
    const first = await documentOf('a.txt')
    assert.deepEqual([first.metadata.title, first.metadata.keywords, first.copyright], [{ en: 'A, title' }, { en: ['one', 'two'] }, 'Acme'])
    const second = await documentOf('b.txt')
    assert.deepEqual([second.metadata.title, second.byline], [sidecar.metadata.title, 'Anna'])
    const third = await documentOf('d.txt')
    assert.deepEqual([third.metadata.title.da, third.byline, third.metadata.keywords], ['Havn', 'Bert', { en: ['sea'] }])
    // An earlier run may have ended before.
    await files({ 'ended/g.txt': 'g', 'ended/g.txt.json': '{"title":"G"}' })
    const ended = () => run(['upload', join(disk, 'ended/'), '--to', String(target), '--sidecars', '--json'])
    line.fault = ({ url }) => (url === '/media/bulk' ? { status: 403 } : undefined)
    assert.deepEqual((await ended()).json, [{ uploaded: 0, already_there: 0, failed: 1 }])
    line.fault = () => undefined
    await expect.poll(() => namesIn(target), { timeout: 300_000 }).toContain('g.txt')
    const { id: g } = (await ended()).json[0] as { id: number }
    assert.deepEqual((await library.waitUntilAvailable(g)).metadata.title, { en: 'G' })
    await files({ 'later/e.txt': 'e', 'later/e.txt.json': '{"titel":"E"}' })
    const refused = await run(['upload', join(disk, 'later/'), '--to', String(target), '--sidecars'])
    assert.deepEqual([refused.code, refused.last], [5, 'uploaded 0, already there 0, failed 1'])
    assert.match(refused.stderr, /titel: no field of a file's document/)
    assert.ok(!(await namesIn(target)).includes('e.txt'))
    for (const wrong of ['path,titel\na.txt,A\n', 'path,focal_point\na.txt,"1.5,0"\n']) {
      await writeFile(table, wrong)
      assert.equal((await run(['upload', `${disk}/`, '--to', String(target), '--metadata', table])).code, 2)
    }
    const pictures = temporaryDirectory()
    await writeFile(join(pictures, 'f.jpg'), await images['plain.jpg']())
    await writeFile(table, 'path,focal_point\nf.jpg,"0.5,0.25"\n')
    const focused = await run(['upload', `${pictures}/`, '--to', String(target), '--metadata', table, '--json'])
    assert.equal(focused.code, 0, focused.stderr)
    assert.deepEqual((await library.waitUntilAvailable(focused.json[0]?.id as number)).focal_point, { x: 0.5, y: 0.25 })
  })
})
