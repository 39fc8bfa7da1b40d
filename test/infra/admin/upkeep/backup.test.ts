import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BackupSchedule } from '../../../../infra/local/backup/schedule.ts'
import { lockTarget } from '../../../../infra/local/backup/target.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { quadrantImage } from '../../../support/pictures/quadrants.ts'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'
import { skippedFor } from '../../../support/skipping.ts'
import { postForm, uploadAndImport } from '../../../support/uploading.ts'
import { ServerProcess } from '../../local/server-process.ts'
import { runCommand } from '../run-command.ts'

/** Linux's disk in memory: another one than that of temporary files. */
const OTHER_DISK = '/dev/shm'
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev

/** All files below a folder, by their paths in it. */
function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Other bytes at the end of a file, which is not linked to any other one after that. */
async function spoil(path: string): Promise<void> {
  const bytes = readFileSync(path)
  bytes[bytes.length - 1]! ^= 1
  await rm(path)
  writeFileSync(path, bytes)
}

describe('backup and restore', async () => {
  const { service } = await serviceWithAccounts()
  const client = await service.client()
  const { id: folder } = (await client['create-folder']({ body: { name: 'Folder', parent: null } })).body
  const root = await mkdtemp(join(tmpdir(), 'media-library-backups-'))
  afterAll(() => rm(root, { recursive: true, force: true }))
  let count = 0

  const fresh = (name: string) => join(root, `${name}-${count++}`)
  const run = (args: readonly string[], directory = service.directory!) => runCommand(directory, args)
  const backUp = async (target: string, ...flags: string[]) => {
    const { code, out, error } = await run(['backup', target, '--json', ...flags])
    assert.deepEqual({ code, error }, { code: 0, error: '' })
    return JSON.parse(out) as { files: number; bytes: number; seconds: number }
  }
  const restore = async (source: string, directory: string, ...flags: string[]) => {
    const { code, out, error } = await run(['restore', source, '--json', ...flags], directory)
    return { code, error, answer: out === '' ? undefined : JSON.parse(out) }
  }
  const clean = { code: 0, error: '', answer: { clean: true, problems: [] } }
  const folders = (target: string) => readdirSync(target).filter((name) => /^\d/.test(name))
  const newest = (target: string) => join(target, folders(target).sort().at(-1)!)
  const newFile = async (bytes: Uint8Array = randomBytes(3000), name = 'data.bin') => uploadAndImport(client, folder, bytes, name)

  const replaceFile = async (replaces: number, bytes: Uint8Array) => {
    const posted = await postForm((await client['register-upload']({ body: { replaces } })).body, bytes, 'data.bin')
    assert.equal((await fetch(posted.headers.get('location')!)).status, 200)
  }

  const remove = ({ id }: { id: number }) => client['remove-media']({ params: { id, folderId: folder } })

  const addressOf = async (by: typeof client, id: number) => (await by['get-download-location']({ params: { id } })).body.url

  it('brings back users, tokens, keys, ids and bytes, of a library that was in use', async () => {
    const target = fresh('target')
    const directory = fresh('data')
    const picture = await newFile(await quadrantImage().jpeg().toBuffer(), 'photo.jpg')
    const bytes = randomBytes(200_000)
    const file = await newFile(bytes)
    const authorization = await service.signIn()
    const signed = await addressOf(client, file.id)
    let ended = false
    const working = (async () => {
      while (!ended) {
        const made = await newFile()
        await remove(made)
      }
    })()
    const made = await backUp(target, '--verify')
    const again = await backUp(target)
    ended = true
    await working
    assert.ok(made.files >= 2 && made.bytes >= 200_000, JSON.stringify(made))
    assert.ok(again.files >= 2)
    await remove(file)

    assert.deepEqual(await restore(target, directory, '--check-only'), clean)
    assert.equal(existsSync(directory), false)
    assert.deepEqual(await restore(target, directory), clean)
    const server = new ServerProcess(directory)
    try {
      const restored = await server.ready()
      assert.deepEqual(restored.demo.api_secret, service.demo.api_secret)
      await restored.signIn()
      const same = await restored.client(authorization)
      assert.equal((await same['get-media']({ params: { id: picture.id } })).status, 200)
      // Signed by the key of the library that was backed up.
      const { pathname, search } = new URL(signed)
      for (const url of [new URL(restored.baseUrl + pathname + search), await addressOf(same, file.id)]) {
        const downloaded = await fetch(url)
        assert.ok(bytes.equals(Buffer.from(await downloaded.arrayBuffer())))
      }
    } finally {
      await server.end('SIGTERM')
    }
    const checked = await run(['check', '--json', '--deep'], directory)
    assert.deepEqual(JSON.parse(checked.out), { clean: true, problems: [] })
  })

  it('brings back versions of files; a replacement that was not imported goes on', async () => {
    const [target, directory] = [fresh('target'), fresh('data')]
    const texts = ['first', 'second', 'third', 'fourth', 'fifth']
    const { id } = await newFile(Buffer.from(texts[0]!))
    for (const text of texts.slice(1)) await replaceFile(id, Buffer.from(text))
    await backUp(target, '--verify')
    assert.deepEqual(await restore(target, directory), clean)
    const server = new ServerProcess(directory)
    try {
      const restored = await server.ready()
      const same = await restored.client()
      const numbers = async () => (await same['list-files']({ params: { id } })).body.files.map(({ number }) => number)
      await expect.poll(numbers, { timeout: 300_000 }).toEqual([5, 4, 3, 2, 1])
      for (const [index, text] of texts.entries()) {
        const { url } = (await same['get-file-download-location']({ params: { id, number: index + 1 } })).body
        assert.equal(await (await fetch(url)).text(), text)
      }
    } finally {
      await server.end('SIGTERM')
    }
    assert.deepEqual(JSON.parse((await run(['check', '--json', '--deep'], directory)).out), { clean: true, problems: [] })
  })

  it('copies a file that it holds already no second time', async () => {
    const target = fresh('target')
    await newFile()
    await backUp(target)
    const objects = filesBelow(join(target, 'objects')).sort()
    await backUp(target)
    assert.deepEqual([folders(target).length, filesBelow(join(target, 'objects')).sort()], [2, objects])
  })

  it('is refused inside the data folder, also by a link, and while another one runs', async () => {
    const link = fresh('link')
    symlinkSync(service.directory!, link)
    for (const target of [service.directory!, join(service.directory!, 'backups', 'deep'), join(link, 'backups')]) {
      const { code, out, error } = await run(['backup', target, '--json'])
      assert.deepEqual({ code, out }, { code: 1, out: '' })
      assert.match(error, /is in the data folder/)
    }
    assert.equal(existsSync(join(service.directory!, 'backups')), false)
    const target = fresh('target')
    await mkdir(target)
    const unlock = lockTarget(target)
    const { code, error } = await run(['backup', target])
    unlock()
    assert.equal(code, 1)
    assert.match(error, /being made/)
    await backUp(target)
  })

  it('asks before it writes where the disk of its backups is not mounted any more', async () => {
    const target = fresh('target')
    await backUp(target)
    await rename(target, `${target}-elsewhere`)
    await mkdir(target)
    const asked = (answer: string) => runCommand(service.directory!, ['backup', target], answer)
    for (const answer of ['', 'no\n']) {
      const { code, out, error } = await asked(answer)
      assert.deepEqual([code, out], [1, ''])
      assert.match(error, /had backups of this library, and has none now.*may not be mounted[\s\S]*Nothing was backed up/)
      assert.deepEqual(readdirSync(target), [])
    }
    assert.equal((await asked('y\n')).code, 0)
    await rm(target, { recursive: true })
    await backUp(target, '--yes')
    await backUp(target)
  })

  it.each([
    ['a file on its path', (path: string) => writeFileSync(path, ''), 'sub', /there is a file of that name, or above it/],
    ['a file of its name', (path: string) => writeFileSync(path, ''), '', /there is a file of that name/],
    ['too long a name', () => undefined, 'x'.repeat(300), /its name is too long/],
    ['a link that leads nowhere', (path: string) => symlinkSync(path, path), '', /it is a link that leads nowhere/],
    ['a place without folders', () => undefined, '../../../../../../../../../../proc/backups', /no folder can be made there/],
  ])('can not be where there is %s, which is a sentence', async (_, make, below, problem) => {
    const place = fresh('place')
    make(place)
    const target = join(place, below)
    const { code, error } = await run(['backup', target])
    assert.equal(code, 1)
    assert.match(error, problem)
    const settings = {
      target,
      at: { hour: 3, minute: 0 },
      dataDirectory: service.directory!,
      clock: systemClock,
      log: jsonLog(() => undefined),
    }
    assert.throws(() => new BackupSchedule(settings), {
      name: 'BackupImpossible',
      message: /can't hold backups: .* Set BACKUP_TO to another folder\.$/,
    })
  })

  it('takes the newest good backup', async () => {
    const target = fresh('target')
    const directory = fresh('data')
    const before = await newFile()
    await backUp(target)
    const after = await newFile()
    await backUp(target)
    await spoil(join(newest(target), 'table.db'))
    const { code, error, answer } = await restore(target, directory)
    assert.deepEqual({ code, answer }, { code: 0, answer: clean.answer })
    assert.match(error, /table\.db has another SHA-256/)
    const table = new DatabaseSync(join(directory, 'table.db'))
    const has = (id: unknown) => table.prepare('SELECT 1 FROM items WHERE body LIKE ?').get(`%"mediaId":${id}%`) !== undefined
    assert.deepEqual([has(before.id), has(after.id)], [true, false])
    table.close()
  })

  describe('a lie', () => {
    let good: string
    beforeAll(async () => {
      good = fresh('target')
      await newFile(randomBytes(100_000))
      await newFile(await quadrantImage().jpeg().toBuffer(), 'photo.jpg')
      await backUp(good)
    })
    interface Manifest {
      schema: number
      counts: Record<string, number>
      databases: Record<string, string>
    }
    const edit = (change: (manifest: Manifest) => unknown) => async (folder: string) => {
      const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
      change(manifest)
      writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
    }
    const objects = (folder: string) => filesBelow(join(folder, '../objects')).sort((a, b) => statSync(a).size - statSync(b).size)
    const lies: Record<string, (folder: string) => Promise<void>> = {
      'no manifest': async (folder) => rmSync(join(folder, 'manifest.json')),
      'another SHA-256': edit(({ databases }) => (databases['table.db'] = '0'.repeat(64))),
      'a newer schema': edit((manifest) => (manifest.schema += 1)),
      'an older schema': edit((manifest) => (manifest.schema -= 1)),
      'an unnamed database': edit(({ databases }) => delete databases['media/index.db']),
      'another count of files': edit(({ counts }) => (counts.files! -= 1)),
      'a path that leads out': edit(({ databases }) => (databases['../../table.db'] = '0'.repeat(64))),
      'a spoilt database': (folder) => spoil(join(folder, 'media/index.db')),
      'spoilt secrets': (folder) => spoil(join(folder, 'secrets.json')),
      'a lost file': async (folder) => rmSync(objects(folder).at(-1)!),
      'a spoilt file': (folder) => spoil(objects(folder).at(-1)!),
    }
    it.each(Object.keys(lies))('ends a restore: %s', async (name) => {
      const source = fresh('source')
      const directory = fresh('data')
      await cp(good, source, { recursive: true })
      await lies[name]!(newest(source))
      // Where it is no backup at all, or one to refuse, there is no answer but the error.
      const refused = name === 'no manifest' || name.endsWith('schema')
      const { code, error, answer } = await restore(source, directory)
      assert.equal(code, 1)
      assert.notEqual(error, '')
      if (refused) assert.equal(answer, undefined)
      else assert.deepEqual([answer.clean, answer.problems.map((found: { problem: string }) => found.problem)], [false, ['backup_damaged']])
      assert.deepEqual(existsSync(directory) ? readdirSync(directory) : [], [])
    })

    it('in a file that a later backup holds, too, is found by --verify, which brings the file again', async () => {
      const source = fresh('source')
      await cp(good, source, { recursive: true })
      await spoil(objects(newest(source)).at(-1)!)
      await backUp(source, '--verify')
      assert.deepEqual(await restore(source, fresh('data')), clean)
    })
  })

  it('does not restore over data, nor from nothing', async () => {
    const target = fresh('target')
    await backUp(target)
    const directory = fresh('data')
    await mkdir(directory)
    writeFileSync(join(directory, 'mine.txt'), 'mine')
    const over = await restore(target, directory)
    assert.equal(over.code, 1)
    assert.match(over.error, /is not empty/)
    assert.deepEqual(readdirSync(directory), ['mine.txt'])
    const nothing = await restore(fresh('nothing'), fresh('data'))
    assert.equal(nothing.code, 1)
    assert.match(nothing.error, /There is no backup/)
  })

  it('tells of a file that the library has lost, and holds all else', async () => {
    const target = fresh('target')
    const file = await newFile(randomBytes(70_000))
    const [lost] = filesBelow(join(service.directory!, 'media/data')).filter((path) => statSync(path).size === 70_000)
    await rename(lost!, `${lost}.away`)
    const { code, error } = await run(['backup', target, '--json'])
    await rename(`${lost}.away`, lost!)
    assert.equal(code, 1)
    assert.ok(error.includes(`The file ${lost} is not there.`), error)
    const name = basename(lost!)
    const problems = [
      { problem: 'object_file_missing', message: `The file ${name} of media was not in the library when it was backed up.` },
    ]
    assert.deepEqual((await restore(target, fresh('data'))).answer, { clean: false, problems })
    assert.deepEqual((await restore(target, fresh('data'), '--check-only')).answer, { clean: false, problems })
    await remove(file)
  })

  it('tells by --check-only each object that a backup lacks or has half of, and also that one before is good', async () => {
    const target = fresh('target')
    await backUp(target)
    const own = [await newFile(randomBytes(61_111)), await newFile(randomBytes(62_222)), await newFile(randomBytes(63_333))]
    await backUp(target)
    const stored = filesBelow(join(target, 'objects'))
    const [gone, half, other] = [61_111, 62_222, 63_333].map((size) => stored.find((path) => statSync(path).size === size)!)
    await rm(gone!)
    const bytes = readFileSync(half!).subarray(0, 1_000)
    await rm(half!)
    writeFileSync(half!, bytes)
    await spoil(other!)
    const { code, answer } = await restore(target, fresh('data'), '--check-only')
    assert.deepEqual([code, answer.clean], [1, false])
    const told = answer.problems.map(({ problem, message }: Record<string, string>) => `${problem}: ${message}`)
    assert.deepEqual(told.slice(0, 3).sort(), [
      ...[`object_file_damaged: ${half} is cut off: it has 1000 bytes instead of 62222.`]
        .concat(`object_file_damaged: ${other} has other bytes than when it was backed up.`)
        .sort(),
      `object_file_missing: ${gone} is not there.`,
    ])
    assert.match(told[3], /^backup_damaged: .*3 of its files are missing or damaged/)
    assert.equal(told.length, 4)
    for (const file of own) await remove(file)
  })

  describe('a file that is damaged in the library', () => {
    let path: string
    let whole: string
    let file: { id: number }
    beforeAll(async () => {
      file = await newFile(randomBytes(81_234))
      path = filesBelow(join(service.directory!, 'media/data')).find((each) => statSync(each).size === 81_234)!
      whole = fresh('whole')
      await cp(path, whole)
      await spoil(path)
    })
    afterAll(async () => {
      await cp(whole, path)
      await remove(file)
    })
    const tells = async (target: string, ...flags: string[]) => {
      const { code, error } = await run(['backup', target, '--json', ...flags])
      assert.equal(code, 1)
      assert.ok(error.includes(`The file ${path} is damaged: it is not what it was.`), error)
      const { problems } = (await restore(target, fresh('data'))).answer
      assert.deepEqual(
        problems.map(({ problem }: { problem: string }) => problem),
        ['object_file_damaged'],
      )
    }

    it('is told by --verify alone where it is linked: without that no linked file is read', async () => {
      await backUp(fresh('target'))
      await tells(fresh('target'), '--verify')
    })

    it('is told where it is copied', skippedFor(!hasOtherDisk && 'there is no other disk'), async () => {
      const target = await mkdtemp(join(OTHER_DISK, 'media-library-backups-'))
      try {
        await tells(target)
      } finally {
        await rm(target, { recursive: true })
      }
    })
  })
})
