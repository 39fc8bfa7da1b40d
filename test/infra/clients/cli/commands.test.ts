import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { images } from '../../../support/pictures/index.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { withoutPauses } from '../../../support/without-pauses.ts'
import { signedIn, tokenOf } from './signed-in.ts'

describe('the command line', async () => {
  const { line, person, accounts, anna, library, newFolder, run, start, ended } = await signedIn()
  const [press, archive] = [await newFolder('Press'), await newFolder('Archive')]
  const file = async (name: string, bytes: string | Uint8Array<ArrayBuffer> = name) => {
    const id = await library.upload(new Blob([bytes]), { folder: press, filename: name })
    await library.waitUntilAvailable(id)
    return String(id)
  }
  const foldersOf = async (id: string) =>
    (await library.get('/media/{id}/folders', { params: { path: { id: Number(id) } } })).map(({ group_id }) => group_id)
  const titleOf = async (id: string) => {
    const media = await library.waitUntilAvailable(Number(id))
    return media.metadata.title.en
  }

  test('lists, finds and tells: JSON lines alone with --json, a summary last', async () => {
    const id = await file('harbour.txt')
    await expect.poll(async () => (await run(['search', 'harbour', '--json'])).json.length, { timeout: 300_000 }).toBe(2)
    const { json } = await run(['ls', 'Press', '--json'])
    assert.deepEqual(
      json.map(({ type, name }) => [type, name]),
      [
        ['file', 'harbour.txt'],
        [undefined, undefined],
      ],
    )
    assert.deepEqual(json.at(-1), { folders: 0, files: 1 })
    assert.equal((await run(['search', '--in', 'Press', '--type', 'generic'])).last, 'found 1')
    assert.equal((await run(['search', '--', '-harbour'])).last, 'found 0')
    const told = await run(['stat', id, String(press), '--json'])
    assert.deepEqual(
      told.json.map(({ type, filename, path }) => [type, filename, path]),
      [
        ['file', 'harbour.txt', undefined],
        ['folder', undefined, 'Press'],
      ],
    )
    assert.equal((await run(['stat', '1'])).code, 4)
    assert.equal((await run(['ls', 'Press/Nowhere'])).code, 3)
    assert.match((await run(['tree'])).stdout, /^Archive\/$/m)
  })

  test('moves, copies and trashes files, and takes each back', async () => {
    const id = await file('a.txt')
    assert.equal((await run(['mv', id, 'Archive'])).last, 'changed 1, unchanged 0, failed 0')
    assert.deepEqual(await foldersOf(id), [archive])
    assert.equal((await run(['cp', id, String(press)])).code, 0)
    assert.deepEqual((await foldersOf(id)).sort(), [press, archive].sort())
    assert.equal((await run(['rm', id])).code, 2)
    assert.equal((await run(['rm', id, '--from', 'Press'])).code, 0)
    const removed = await run(['rm', id, '--from', 'Archive', '--json'])
    assert.ok(!(await foldersOf(id)).includes(archive))
    const again = await run(['rm', id])
    assert.notEqual(again.code, 0)
    assert.equal((await library.waitUntilAvailable(Number(id))).filename, 'a.txt')
    const [job] = removed.json.at(-1)!.job_ids as string[]
    assert.equal((await run(['edit', '--undo', job!])).last, 'changed 1, unchanged 0, failed 0')
    assert.ok((await foldersOf(id)).includes(archive))
  })

  test('edits files, takes that back, and counts those that it may not edit', async () => {
    const [first, second] = [await file('1.txt'), await file('2.txt')]
    const edited = await run(['edit', first, second, '--title', 'Dawn', '--add-keywords', 'harbour', 'dawn', '--json'])
    const { job_ids, ...numbers } = edited.json.at(-1) as { job_ids: string[] }
    assert.deepEqual(numbers, { changed: 2, unchanged: 0, failed: 0 })
    assert.equal(await titleOf(first), 'Dawn')
    await expect
      .poll(async () => (await run(['edit', '--search', 'dawn', '--byline', 'Anna'])).last, { timeout: 300_000 })
      .toMatch(/changed 2|unchanged 2/)
    assert.equal((await run(['edit', first, '--title', ''])).code, 0)
    assert.equal(await titleOf(first), undefined)
    assert.equal((await run(['edit', '--undo', job_ids[0]!])).code, 5)
    assert.equal(await titleOf(second), undefined)
    assert.equal((await run(['edit', first])).code, 2)
    const bert = await person()
    await accounts.grant(press, bert.userId, ['READ'])
    const refused = await run(['edit', first, '--title', 'Mine'], { MEDIA_LIBRARY_TOKEN: tokenOf(bert) })
    assert.deepEqual([refused.code, refused.last], [7, 'changed 0, unchanged 0, failed 1'])
  })

  test('edits the focal point of pictures', async () => {
    const picture = await file('a.jpg', new Uint8Array(await images['plain.jpg']()))
    const point = async () => (await library.waitUntilAvailable(Number(picture))).focal_point
    assert.equal((await run(['edit', picture, '--focal-point', '0.5,0.25'])).last, 'changed 1, unchanged 0, failed 0')
    assert.deepEqual(await point(), { x: 0.5, y: 0.25 })
    assert.equal((await run(['edit', picture, '--focal-point', '2,0'])).code, 2)
    assert.equal((await run(['edit', await file('3.txt'), '--focal-point', '0,0'])).code, 5)
    assert.equal((await run(['edit', picture, '--focal-point', 'none'])).code, 0)
    assert.equal(await point(), null)
  })

  test('makes archives', async () => {
    const disk = temporaryDirectory()
    const id = await file('zipped.txt')
    const archived = await run(['zip', id, '-o', join(disk, 'files.zip'), '--json'])
    assert.equal(archived.code, 0, archived.stderr)
    assert.match(await readFile(join(disk, 'files.zip'), 'latin1'), /^PK.*zipped\.txt/s)
    const { stdout } = await run(['zip', 'Press'])
    assert.equal((await fetch(stdout.trim())).status, 200)
  })

  test('downloads an archive over a line that breaks, to a file when it is whole or to standard output', async () => {
    withoutPauses()
    const disk = temporaryDirectory()
    const { id: folder } = await library.post('/folder', { body: { name: 'Archived' } })
    const content = randomBytes(3 * 2 ** 20)
    await library.waitUntilAvailable(await library.upload(new Blob([content]), { folder, filename: 'random.bin' }))
    const url = (await run(['zip', 'Archived'])).stdout.trim()
    const archive = Buffer.from(await (await fetch(url)).arrayBuffer())
    assert.ok(archive.includes(content))
    const path = join(disk, 'Archived.zip')
    const broken = () => {
      let left = 2
      line.fault = (request) => (request.url === url.slice(line.url.length) && left-- > 0 ? 'cut' : undefined)
    }
    broken()
    const saved = await run(['zip', 'Archived', '--output', path])
    assert.deepEqual([saved.code, saved.stdout], [0, `${path}\n`], saved.stderr)
    assert.deepEqual(await readFile(path), archive)
    broken()
    const { code, stdout } = await run(['zip', 'Archived', '--output', '-'])
    assert.deepEqual([code, Buffer.from(stdout, 'latin1')], [0, archive])
    line.fault = () => undefined
    assert.deepEqual(await readdir(disk), ['Archived.zip'])
    // What a run that was killed left of the same archive is not asked for again; that of another one goes.
    await rm(path)
    const of = (job: string) => join(disk, `.zip-${createHash('md5').update('Archived.zip').digest('hex').slice(0, 8)}-${job}.part`)
    const { job_id: job } = (await run(['zip', 'Archived', '--json'])).json[0] as { job_id: string }
    await writeFile(of(job), Buffer.concat([archive.subarray(0, 2 ** 20).fill(1)]))
    await writeFile(of('another'), 'other bytes')
    assert.equal((await run(['zip', 'Archived', '-o', path])).code, 0)
    assert.deepEqual(await readFile(path), Buffer.concat([Buffer.alloc(2 ** 20, 1), archive.subarray(2 ** 20)]))
    assert.deepEqual(await readdir(disk), ['Archived.zip'])
  })

  test('names what is wrong with the place of an archive before it is made', async () => {
    const disk = temporaryDirectory()
    assert.equal((await run(['zip', 'Press', '-o', disk])).code, 2)
    assert.equal((await run(['zip', 'Press', '-o', join(disk, 'missing/files.zip')])).code, 4)
    assert.equal((await run(['zip', 'Press', '-o', '-', '--json'])).code, 2)
    assert.deepEqual(await readdir(disk), [])
  })

  test('publishes files, and ends that', async () => {
    const cdn = await accounts.cdnFolder()
    await accounts.grant(cdn.folderId, anna.userId, ['READ', 'WRITE'])
    const id = await file('public.txt')
    const published = await run(['link', id, '--json'])
    assert.equal(published.code, 0, published.stderr)
    assert.equal(await (await fetch(published.json[0]!.url as string)).text(), 'public.txt')
    const small = await run(['link', id, '--preset', 'small', '--json'])
    assert.equal(small.json[0]!.url, `${published.json[0]!.url}?preset=small`)
    for (const wrong of [
      ['--preset', 'Small'],
      ['--preset', 'small', '--remove'],
    ])
      assert.equal((await run(['link', id, ...wrong])).code, 2)
    assert.equal((await run(['link', id, '--remove', '--alias', cdn.alias])).last, 'removed 1')
    assert.equal((await run(['link', id, '--alias', 'nowhere'])).code, 3)
  })

  test('asks for streams of videos alone', async () => {
    const refused = await run(['stream', await file('no-video.txt')])
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
  })

  test('shares folders and files with people without an account, and ends that', async () => {
    const id = await file('shared.txt')
    const shared = await run(['share', 'Press', '--expires', '2099-12-31', '--download', 'original', '--password', '-', '--json'], {
      input: 'open sesame\n',
    })
    assert.equal(shared.code, 0, shared.stderr)
    const [link] = shared.json as [Record<string, unknown>]
    assert.deepEqual(
      [link.folder_id, link.has_password, link.allow, String(link.expires).slice(0, 4)],
      [press, true, { download: 'original', upload: false }, '2099'],
    )
    const behind = async (url: unknown) => (await fetch(`${url}/contents`)).status
    assert.notEqual(await behind(link.url), 404)
    const files = await run(['share', id, '--title', 'For you'])
    assert.match(files.stdout, /^http.*\/s\/\S+\n$/)
    assert.equal(await behind(files.last), 200)
    assert.match((await run(['share', '--list'])).stdout, new RegExp(`files ${id}  For you  visits 0\n`))
    assert.equal((await run(['share', id, 'Press'])).code, 2)
    assert.equal((await run(['share', '1', '2'])).code, 4)
    assert.equal((await run(['share', '--remove', link.id as string])).last, 'removed 1')
    assert.equal(await behind(link.url), 404)
    assert.equal((await run(['share', '--remove', link.id as string])).code, 4)
  })

  test('tells events, waits for the next ones until it is interrupted, and goes on behind a cursor', async () => {
    const { id: folder } = await library.post('/folder', { body: { name: 'Eventful' } })
    await expect
      .poll(async () => (await run(['events', '--type', 'folder.created', '--json'])).json.at(-2)?.data, { timeout: 300_000 })
      .toEqual({ folder_id: folder, parent: null })
    const { cursor } = (await run(['events', '--json'])).json.at(-1)!
    const child = start(['events', '--follow', '--json', '--cursor', cursor as string, '--in', 'Eventful', '--type', 'folder.created'])
    let seen = ''
    child.stdout!.on('data', (chunk) => (seen += chunk))
    const { id: inner } = await library.post('/folder', { body: { name: 'inner', parent: folder } })
    await expect.poll(() => seen, { timeout: 300_000 }).toContain(`"folder_id":${inner}`)
    child.kill('SIGINT')
    const { code, json } = await ended(child)
    assert.deepEqual([code, json.at(-1)?.events], [130, 1])
    const rest = await run(['events', '--cursor', json.at(-1)!.cursor as string, '--type', 'folder.created'])
    assert.match(rest.last, /^events 0, cursor /)
    assert.match((await run(['events', '--in', 'Eventful'])).stdout, new RegExp(`folder\\.created.*folder id ${inner}`))
    for (const option of ['--type', '--cursor']) assert.equal((await run(['events', option, 'nonsense'])).code, 2)
  })

  test('completes commands and options in shells', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout, code } = await run(['completion', shell])
      assert.equal(code, 0)
      assert.match(stdout, /skip-existing/)
    }
    const { stdout } = await run(['completion', 'bash'])
    const completed = async (...words: string[]) => {
      const line = `COMP_WORDS=(media-library ${words.join(' ')}); COMP_CWORD=${words.length}; _media_library; printf '%s\\n' "\${COMPREPLY[@]}"`
      return (await promisify(execFile)('bash', ['-c', `${stdout}\n${line}`], { cwd })).stdout.trim().split('\n')
    }
    const cwd = temporaryDirectory()
    await writeFile(join(cwd, 're read.txt'), '')
    assert.deepEqual(await completed('upl'), ['upload'])
    assert.deepEqual(await completed('upload', '--on'), ['--on-conflict'])
    assert.deepEqual(await completed('versions', 're'), ['restore', 're read.txt'])
    assert.deepEqual(await completed('versions', 'restore', '--c'), ['--comment'])
    assert.deepEqual(await completed('upload', 're'), ['re read.txt'])
  })
})
