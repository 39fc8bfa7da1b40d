import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { endpoints } from '../../../../functions/endpoints.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import type { ApiClient } from '../../../../shared/http/declaration/client.ts'
import { replacementCreation, replacementEnd } from '../../../../shared/library/media/files.ts'
import { importJob } from '../../../../shared/library/media/importing.ts'
import { toMediaId } from '../../../../shared/vocabulary/ids.ts'
import { pythonWith } from '../../../support/aws/python-environment.ts'
import { by } from '../../../support/library.ts'
import { availableFile } from '../../../support/numbers.ts'
import { type Service, startService } from '../../../support/service.ts'
import { postForm, uploadAndImport } from '../../../support/uploading.ts'
import { runCommand, runJson } from '../run-command.ts'

/** Until a busy machine has imported some files, in milliseconds. */
const LONGEST_WAIT = 300_000

type Client = ApiClient<typeof endpoints>

describe('versions of files that move to another library', () => {
  let from: Service
  let to: Service
  let parent: string
  let file: number
  let target: string
  beforeAll(async () => {
    ;[from, to] = await Promise.all([startService(), startService()])
    parent = await mkdtemp(join(tmpdir(), 'versions-test-'))
    target = join(parent, 'export')
    // Who is missing in the other library is made there, under the same id.
    const anna = { username: 'anna', password: 'a password' }
    const names = ['--username', anna.username, '--fullname', 'Anna Berg', '--password', anna.password]
    await runJson(from.directory!, ['user', 'create', '--company', String(from.demo.company_id), ...names, '--admin'])
    const client = await from.client(await from.signIn(anna))
    const folder = from.demo.folder_id
    file = (await uploadAndImport(client, folder, Buffer.from('one'), 'one.txt')).id
    await uploadAndImport(client, folder, Buffer.from('alone'), 'alone.txt')
    await replace(client, 'two', '2 < 3 %.txt')
    await replace(client, 'three', 'three.txt', 'The third')
    await client['note-file']({ params: { id: file, number: 2 }, body: { pinned: true, comment: 'Kept,\nfor ever' } })
    await client['restore-file']({ params: { id: file, number: 1 }, body: { comment: 'Back' } })
  }, LONGEST_WAIT)
  afterAll(async () => {
    await Promise.all([from?.stop(), to?.stop()])
    await rm(parent, { recursive: true, force: true })
  })

  async function replace(client: Client, text: string, filename: string, comment?: string): Promise<void> {
    const before = (await filesOf(client)).length
    const { body } = await client['register-upload']({ body: { replaces: file, ...(comment && { comment }) } })
    const posted = await postForm(body, Buffer.from(text), filename)
    assert.equal((await fetch(posted.headers.get('location')!)).status, 200)
    await vi.waitFor(async () => {
      const files = await filesOf(client)
      assert.deepEqual([files.length, files.some(({ number }) => number === null)], [before + 1, false])
    }, LONGEST_WAIT)
  }
  /** Versions of the file, without what differs by design. */
  const filesOf = async (client: Client) =>
    (await client['list-files']({ params: { id: file } })).body.files.map(({ preview_url: _, ...entry }) => entry)
  const bytesOf = async (client: Client, number: number) => {
    const { body } = await client['get-file-download-location']({ params: { id: file, number } })
    return (await fetch(body.url)).text()
  }
  const documentOf = async (client: Client) => (await client['get-media']({ params: { id: file } })).body
  const usageOf = async (service: Service) => {
    const { disk_usage, version_bytes } = (
      await (await service.client())['get-company-disk-usage']({ params: { id: service.demo.company_id } })
    ).body as Record<string, unknown>
    return { disk_usage, version_bytes }
  }
  const exporting = (...more: string[]) =>
    runJson(from.directory!, ['export', target, '--company', String(from.demo.company_id), '--versions', ...more])
  const importing = (company: number, ...more: string[]) => ['import', target, '--company', String(company), ...more]
  const filesIn = async (folder: string) => (await readdir(join(target, folder), { recursive: true })).sort()

  it('are exported as a table, and the bytes of those that aren’t current once', async () => {
    const { files, versions } = await exporting('--bag')
    assert.deepEqual([files, versions], [2, { files: 2, bytes: 8 }])
    const names = [`${file}/2-2 _ 3 _.txt`, `${file}/3-three.txt`]
    assert.deepEqual(await filesIn('versions'), [String(file), ...names])
    const rows = (await readFile(join(target, 'versions.csv'), 'utf8')).trim().split('\r\n')
    const columns = rows.map((row) => row.split(',').slice(1, 6).join())
    const folder = /data\/.*(?=\/)/.exec(rows[1]!)![0]
    assert.deepEqual(columns, [
      'number,current,state,filename,path',
      `4,true,available,one.txt,${folder}/one.txt`,
      `3,false,available,three.txt,versions/${names[1]}`,
      `2,false,available,2 < 3 %.txt,versions/${names[0]}`,
      `1,false,available,one.txt,${folder}/one.txt`,
    ])
    assert.match(rows.join('\n'), /"Kept,\nfor ever",true/)
  })

  it('are a bag that bagit validates, until a byte of a version changes', async ({ skip }) => {
    const python = await pythonWith('bagit', '1.9.0').catch((error: Error) => skip(`bagit can't be installed: ${error.message}`))
    const validate = () => promisify(execFile)(python, ['-m', 'bagit', '--validate', target])
    await validate()
    const path = join(target, `versions/${file}/3-three.txt`)
    await writeFile(path, 'lying')
    await assert.rejects(validate())
    await writeFile(path, 'three')
  })

  it('are exported from where an export was cut off', async () => {
    const before = await filesIn('versions')
    for (const name of await readdir(target)) if (!['data', 'versions'].includes(name)) await rm(join(target, name))
    await writeFile(join(target, 'export.unfinished'), `${JSON.stringify({ company: from.demo.company_id })}\n`)
    await writeFile(join(target, `versions/${file}/3-three.txt`), 'thr')
    await writeFile(join(target, `versions/${file}/9-gone.txt`), 'gone')
    assert.deepEqual((await exporting()).versions, { files: 2, bytes: 8 })
    assert.deepEqual(await filesIn('versions'), before)
    assert.equal(await readFile(join(target, `versions/${file}/3-three.txt`), 'utf8'), 'three')
  })

  it('whose import has not ended are left out of an export, which is told', async () => {
    const table = openEmbeddedTable(embeddedLayout(from.directory!).table)
    onTestFinished(() => table.close())
    const mediaId = toMediaId(file)
    const { companyId, uploadedBy } = await availableFile(table, file)
    const of = { mediaId, companyId, id: '1', filename: 'five.txt', uploadKey: 'five/five.txt', bytes: 4, created: 1, uploadedBy, by }
    const later = { companyId, subject: String(file), input: { mediaId }, at: Date.now() + LONGEST_WAIT }
    await table.transact({ replacement: replacementCreation(of), import: importJob.ask({ clock: systemClock, by }, later) })
    const elsewhere = join(parent, 'elsewhere')
    const { error } = await runCommand(from.directory!, ['export', elsewhere, '--company', String(companyId)])
    assert.match(error, /^1 new versions of files are left out: their import has not ended\.$/m)
    await table.transact({ replacement: replacementEnd(of), import: importJob.drop(String(file)) })
  })

  it('are left out by an import without ids, which is told', async () => {
    const { company_id: company } = await runJson(to.directory!, ['company', 'create', '--name', 'Without ids'])
    const { out, error } = await runCommand(to.directory!, importing(company, '--json'))
    assert.deepEqual([JSON.parse(out).imported, JSON.parse(out).versions], [2, undefined])
    assert.match(error, /Former versions of files are left out: --keep-ids/)
  })

  it('are counted, of many files that are taken at the same time, too', async () => {
    const many = join(parent, 'many')
    await cp(target, many, { recursive: true })
    const [columns, ...rows] = (await readFile(join(many, 'versions.csv'), 'utf8')).trim().split('\r\n')
    const manifest = await readFile(join(many, 'manifest.csv'), 'utf8')
    const current = rows.find((row) => row.includes(',true,available'))!
    const former = rows.find((row) => row.includes(',3,false,available'))!
    const ids = Array.from({ length: 20 }, (_, index) => String(index + 1))
    for (const id of ids) {
      await writeFile(join(many, 'data', `${id}.txt`), 'one')
      await cp(join(many, 'versions', String(file)), join(many, 'versions', id), { recursive: true })
    }
    const rowsOf = (id: string) => [current.replace(/data\/[^,]*/, `data/${id}.txt`), former].map((row) => row.replaceAll(String(file), id))
    await writeFile(join(many, 'versions.csv'), [columns, ...ids.flatMap(rowsOf)].join('\r\n'))
    const [names] = manifest.split('\r\n')
    const row = (id: string) => names!.split(',').map((name) => ({ path: `data/${id}.txt`, folder: 'Many', source_id: id })[name] ?? '')
    await writeFile(join(many, 'manifest.csv'), [names, ...ids.map((id) => row(id).join())].join('\r\n'))
    const args = ['import', many, '--company', String(to.demo.company_id), '--keep-ids', '--dry-run']
    assert.equal((await runJson(to.directory!, args)).versions, ids.length)
  })

  it.each([
    ['names a number twice', (text: string) => `${text}${text.trim().split('\r\n').at(-1)}\r\n`],
    ['leads out of the export', (text: string) => text.replace(/versions\/\d+\/3-three\.txt/, '/etc/passwd')],
    ['is cut off', (text: string) => text.slice(0, -20)],
  ])('are refused before anything is taken where their table %s', async (_, lie) => {
    const table = join(target, 'versions.csv')
    const truth = await readFile(table, 'utf8')
    await writeFile(table, lie(truth))
    const { company_id: company } = await runJson(to.directory!, ['company', 'create', '--name', 'Lies'])
    for (const more of [['--dry-run'], []]) {
      const { code, error } = await runCommand(to.directory!, importing(company, '--keep-ids', ...more))
      assert.equal(code, 1)
      assert.match(error, /versions\.csv of export is damaged: /)
    }
    assert.equal((await runJson(to.directory!, ['folder', 'list', '--company', String(company)])).length, 1)
    await writeFile(table, truth)
  })

  it('compare equal after an import with ids; those with other bytes are refused one by one, and taken later', async () => {
    const company = to.demo.company_id
    const [three, gone] = [join(target, `versions/${file}/3-three.txt`), join(target, `versions/${file}/2-2 _ 3 _.txt`)]
    await writeFile(three, 'lying')
    await rm(gone)
    const told = async (...more: string[]) => {
      const { imported, existing, versions, refused } = await runJson(to.directory!, importing(company, '--keep-ids', ...more))
      return { imported, existing, versions, refused: refused.map(({ path }: { path: string }) => path).sort() }
    }
    const refused = [`versions/${file}/2-2 _ 3 _.txt`, `versions/${file}/3-three.txt`]
    const first = { imported: 2, existing: 0, versions: 1, refused }
    assert.deepEqual(await told('--dry-run'), first)
    assert.deepEqual(await told(), first)
    await writeFile(three, 'three')
    await writeFile(gone, 'two')
    const second = { imported: 0, existing: 2, versions: 2, refused: [] }
    assert.deepEqual(await told('--dry-run'), second)
    assert.deepEqual(await told(), second)
    assert.deepEqual(await told(), { ...second, versions: 0 })
    const [there, here] = [await from.client(), await to.client()]
    const wanted = await filesOf(there)
    await expect.poll(() => filesOf(here), { timeout: LONGEST_WAIT }).toHaveLength(wanted.length)
    await expect.poll(async () => (await filesOf(here)).some(({ state }) => state === 'importing'), { timeout: LONGEST_WAIT }).toBe(false)
    assert.deepEqual(await filesOf(here), wanted)
    for (const [number, text] of [
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
      [4, 'one'],
    ] as const)
      assert.equal(await bytesOf(here, number), text)
    assert.deepEqual(await documentOf(here), await documentOf(there))
    assert.deepEqual(await usageOf(to), await usageOf(from))
    assert.deepEqual(await runJson(to.directory!, ['check']), { clean: true, problems: [] })
  })

  it('that were deleted after the import come no more, and numbers go on', async () => {
    const client = await to.client()
    assert.equal((await client['delete-file']({ params: { id: file, number: 3 } })).status, 200)
    const { versions } = await runJson(to.directory!, importing(to.demo.company_id, '--keep-ids'))
    assert.equal(versions, 0)
    await replace(client, 'five', 'five.txt')
    assert.deepEqual(
      (await filesOf(client)).map(({ number }) => number),
      [5, 4, 2, 1],
    )
  })
})
