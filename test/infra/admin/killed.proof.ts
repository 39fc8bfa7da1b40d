import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import type { MediaRecord } from '../../../shared/library/media/media.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { putMedia } from '../../support/media.ts'
import { makeLibrary, runJson } from './run-command.ts'

const FILES = 200
const PICTURES = 300

describe('a command that is killed again and again goes on where it was, and makes nothing twice', () => {
  let parent: string
  let directory: string
  let source: string
  let company: string
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'killed-'))
    directory = join(parent, 'data')
    source = join(parent, 'source')
    await mkdir(source)
    await makeLibrary(directory)
    company = String((await runJson(directory, ['company', 'create', '--name', 'Acme'])).company_id)
  })
  afterEach(() => rm(parent, { recursive: true, force: true }))

  const isClean = async () => assert.deepEqual(await runJson(directory, ['check']), { clean: true, problems: [] })

  const start = (...args: string[]) =>
    spawn(process.execPath, ['infra/admin/main.ts', ...args], {
      env: { PATH: process.env.PATH, DATA_DIR: directory },
      stdio: ['ignore', 'ignore', 'pipe'],
    })

  test('import', async () => {
    for (let n = 0; n < FILES; n++) {
      await mkdir(join(source, `f${n % 3}`), { recursive: true })
      await writeFile(join(source, `f${n % 3}/${n}.txt`), `text ${n}`)
    }
    const args = ['import', source, '--company', company]
    for (let kills = 0; kills < 3; kills++) {
      const command = start(...args)
      const exited = once(command, 'exit')
      // A line of progress comes with the first file that is done.
      await Promise.race([once(command.stderr, 'data'), exited])
      command.kill('SIGKILL')
      await exited
      await isClean()
    }
    const { imported, existing, refused } = await runJson(directory, args)
    assert.deepEqual([imported + existing, refused], [FILES, []])
    assert.ok(existing > 0, 'nothing was taken before a kill')
    assert.equal(new Set((await readFile(`${source}.mapping.csv`, 'utf8')).match(/\d+(?=\r\n)/g)).size, FILES)
    await isClean()
  })

  test('keywords suggest', async () => {
    const ofCompany = ['--company', company]
    await runJson(directory, ['keywords', 'enable', ...ofCompany])
    const table = openEmbeddedTable(embeddedLayout(directory).table)
    const ids = Array.from({ length: PICTURES }, (_, n) => n + 1)
    for (const mediaId of ids) {
      const rendition = { key: `${company}/${mediaId}/renditions/1x1`, mime: 'image/jpeg', width: 1, height: 1, bytes: 1 }
      await putMedia(table, { mediaId, companyId: Number(company), renditions: { '1200px': rendition } })
    }
    const waiting = async () => {
      const files = await table.getMany<MediaRecord & ReturnType<typeof mediaKey>>(ids.map((id) => mediaKey(toMediaId(id))))
      return files.filter(({ suggestionsWanted }) => suggestionsWanted !== undefined).length
    }
    const command = start('keywords', 'suggest', ...ofCompany)
    command.stderr.resume()
    const exited = once(command, 'exit')
    while ((await waiting()) === 0) assert.equal(command.exitCode, null)
    command.kill('SIGKILL')
    await exited
    assert.deepEqual(await runJson(directory, ['keywords', 'suggest', ...ofCompany]), { queued: PICTURES, done: 0 })
    assert.equal(await waiting(), PICTURES)
    table.close()
  })
})
