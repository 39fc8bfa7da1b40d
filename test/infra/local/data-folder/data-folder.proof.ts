import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { explainFailure } from '../../../../infra/local/data-folder/failure.ts'
import { DATA_FORMAT } from '../../../../infra/local/data-folder/format.ts'
import { makeFolder } from '../../../../shared/backends/disk/make-folder.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { makeLibrary, runCommand } from '../../admin/run-command.ts'
import { startedServer } from '../server-process.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
/** What umask a login usually has: everybody may read. */
const USUAL_UMASK = 0o022

describe('the data folder', () => {
  let parent: string
  let directory: string
  let before: number
  beforeEach(() => {
    before = process.umask(USUAL_UMASK)
    parent = temporaryDirectory()
    directory = join(parent, 'data')
  })
  afterEach(() => void process.umask(before))

  const start = () => startedServer(directory)

  /** Everything in the folder that users other than its owner may do anything with. */
  function openToOthers(): string[] {
    const names = ['', ...(readdirSync(directory, { recursive: true }) as string[])]
    return names.filter((name) => (statSync(join(directory, name)).mode & 0o077) !== 0)
  }

  it('is made for its owner only, and closed where it was open, with all that is in it, and says its format', async () => {
    mkdirSync(directory)
    await makeLibrary(directory)
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), name.includes('.') ? 0o644 : 0o755)
    chmodSync(directory, 0o755)
    for (const folder of [directory, join(parent, 'new')]) {
      directory = folder
      const server = start()
      await server.ready()
      await server.end('SIGTERM')
      assert.ok(readdirSync(folder).length > 5)
      // What was open lies in a folder that is closed now.
      const open = openToOthers().filter((name) => folder.endsWith('new') || !name.includes('/'))
      assert.deepEqual(open, [])
      assert.deepEqual(JSON.parse(readFileSync(join(folder, 'format.json'), 'utf8')), { format: DATA_FORMAT })
    }
  })

  it('that every user may write to, that is a file, that cannot be made or whose path is too long for SQLite is one sentence and exit 1, at once', async () => {
    const refused = async (sentence: RegExp) => {
      const server = start()
      assert.equal(await server.exited, 1)
      assert.match(server.stderr, sentence)
    }
    writeFileSync(directory, '')
    await refused(/^The data folder \S+ is not a folder: .* Move the file away, or set DATA_DIR to another folder\.\n$/)
    assert.match((await runCommand(directory, ['company', 'list'])).error, /There is no library in|is not a folder/)
    rmSync(directory)
    mkdirSync(directory)
    writeFileSync(join(directory, 'notes.txt'), 'of somebody else')
    chmodSync(directory, 0o777)
    await refused(/^Every user may write to \S+\. Set DATA_DIR to a folder inside it, which will be closed to others\.\n$/)
    assert.deepEqual(readdirSync(directory), ['notes.txt'])
    directory = join(parent, ...['x', 'y'].map((letter) => letter.repeat(220)))
    await refused(
      /^The path of the data folder has \d+ bytes, .* of 440 at most\. Set DATA_DIR to a folder with a shorter path\. It is \S+\n$/,
    )
    for (const [program, ...args] of [['infra/local/main.ts'], ['infra/admin/main.ts', 'company', 'create', '--name', 'x']] as const) {
      const env = { PATH: process.env.PATH, DATA_DIR: '/proc/media/library', PORT: '0' }
      const { status, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: root, env, encoding: 'utf8', timeout: 300_000 })
      assert.equal(status, 1)
      assert.match(stderr, /^\S[^\n]* \/proc\/media\/library[^\n]*DATA_DIR[^\n]*\n$/)
    }
  })

  it('is not made by a command: a mistyped DATA_DIR says where it looked and what to do', async () => {
    for (const args of [['company', 'list'], ['check'], ['user', 'list', '--company', '1', '--json']]) {
      const { code, out, error } = await runCommand(directory, args)
      assert.deepEqual([code, out], [1, ''])
      assert.equal(
        error,
        `There is no library in ${directory}. Set DATA_DIR to the folder that holds yours, or make a new one there with its first company: company create --name NAME`,
      )
      assert.ok(!existsSync(directory))
    }
  })

  it('is made by the first company, closed to others, and said', async () => {
    const made = await runCommand(directory, ['company', 'create', '--name', 'x'])
    assert.deepEqual([made.code, made.error], [0, `There was no library in ${directory}, so this made one.`])
    assert.ok(existsSync(join(directory, 'format.json')))
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    const second = await runCommand(directory, ['company', 'create', '--name', 'y'])
    assert.deepEqual([second.code, second.error], [0, ''])
  })

  it.each([
    ['a newer version', `{"format":${DATA_FORMAT + 1}}`, 'a newer', `format ${DATA_FORMAT + 1}`],
    ['an older version', `{"format":${DATA_FORMAT - 1}}`, 'an older', `format ${DATA_FORMAT - 1}`],
    ['a version that gave none', undefined, 'an older', 'no format'],
  ])('of %s is refused in a sentence, by server and commands, and stays as it is', async (_, stated, version, format) => {
    await makeLibrary(directory)
    const file = join(directory, 'format.json')
    if (stated === undefined) rmSync(file)
    else writeFileSync(file, stated)
    const before = readdirSync(directory)
    const refusal = new RegExp(
      `^The data folder \\S+ was written by ${version} version of this program \\(${format}; this one knows ${DATA_FORMAT}\\).* DATA_DIR to another folder\\.\n?$`,
    )
    const server = start()
    assert.equal(await server.exited, 1)
    assert.match(server.stderr, refusal)
    for (const args of [
      ['company', 'list'],
      ['company', 'create', '--name', 'x'],
    ]) {
      const { code, out, error } = await runCommand(directory, args)
      assert.deepEqual([code, out], [1, ''])
      assert.match(error, refusal)
    }
    assert.deepEqual(readdirSync(directory), before)
    if (stated !== undefined) assert.equal(readFileSync(file, 'utf8'), stated)
  })

  it('whose format cannot be read is refused, and not overwritten', async () => {
    await makeLibrary(directory)
    for (const damaged of ['', 'null', '{}', '{"format":"2"}']) {
      writeFileSync(join(directory, 'format.json'), damaged)
      const { code, error } = await runCommand(directory, ['company', 'list'])
      assert.deepEqual([code, error], [1, `The file ${join(directory, 'format.json')} is damaged. Bring it back from a backup.`])
    }
  })

  it('without any space left, on a disk for reading only, or of another user, says so', () => {
    makeFolder(directory)
    const denied = Object.assign(new Error('denied'), { code: 'EACCES', path: directory })
    assert.match(String(explainFailure(denied, directory)), /may not be read or written by this user\. Run this as its owner/)
    const path = join(directory, 'table.db')
    const database = new DatabaseSync(path)
    database.exec('PRAGMA max_page_count = 3; CREATE TABLE large (value)')
    assert.throws(
      () => database.exec('INSERT INTO large VALUES (randomblob(100000))'),
      (error) =>
        /is on a disk without any space left\. Make room there/.test(
          String(explainFailure(new Error('outer', { cause: error }), directory)),
        ),
    )
    database.close()
    const readOnly = new DatabaseSync(path, { readOnly: true })
    assert.throws(
      () => readOnly.exec('INSERT INTO large VALUES (1)'),
      (error) => /cannot be written\. Mount its disk for writing/.test(String(explainFailure(error, directory))),
    )
    readOnly.close()
  })
})
