import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { saidByJson } from '../../../../infra/admin/transfer/said.ts'
import { writeXmp } from '../../../../shared/tools/sidecars/xmp.ts'
import { pythonWith } from '../../../support/aws/python-environment.ts'
import { withMounts } from '../../../support/mounting.ts'
import { images } from '../../../support/pictures/index.ts'
import { type Service, startService } from '../../../support/service.ts'
import { runCommand, runJson, temporaryLibrary } from '../run-command.ts'

const PROGRAM = fileURLToPath(new URL('../../../../infra/admin/main.ts', import.meta.url))

type Files = Record<string, string | Uint8Array>

async function write(folder: string, files: Files): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
}

const document = (title: string) =>
  JSON.stringify({ filename: 'named.txt', metadata: { title: { en: title, da: 'Havn' }, keywords: { da: ['båd'] } } })
const xmp = writeXmp({ title: { en: 'By XMP' }, description: {}, byline: 'Anna Berg', copyright: '', keywords: ['quay'] })
/** What can't be taken, by path. */
const paths = (refused: { path: string }[]) => refused.map(({ path }) => path).sort()

describe('import and export', async () => {
  const directory = await temporaryLibrary()
  let parent: string
  let source: string
  let company: string
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'import-test-'))
    source = join(parent, 'source')
    await mkdir(source)
    company = String((await runJson(directory, ['company', 'create', '--name', 'Acme'])).company_id)
  })
  afterEach(() => rm(parent, { recursive: true, force: true }))

  const foldersOf = async (of: string) =>
    (await runJson(directory, ['folder', 'list', '--company', of])).map(({ name }: { name: string }) => name).sort()
  const importing = (...more: string[]) => runJson(directory, ['import', source, '--company', company, ...more])

  it('takes a tree once, says before what it would do, and writes old and new ids', async () => {
    await write(source, { 'Press/2026/a.txt': 'a', 'Press/b.txt': 'b', 'top.txt': 'top' })
    const would = await importing('--dry-run')
    assert.deepEqual(would, { imported: 3, existing: 0, refused: [], conflicts: [], mapping: null })
    assert.deepEqual(await importing('--dry-run'), would)
    const mapping = `${source}.mapping.csv`
    assert.deepEqual(await importing(), { imported: 3, existing: 0, refused: [], mapping })
    const mapped = async () => (await readFile(mapping, 'utf8')).trim().split('\r\n').sort()
    const lines = await mapped()
    assert.deepEqual(
      lines.map((line) => line.replace(/\d+$/, 'ID')),
      [',Press/2026/a.txt,ID', ',Press/b.txt,ID', ',top.txt,ID', 'source_id,path,media_id'],
    )
    assert.deepEqual(await importing(), { imported: 0, existing: 3, refused: [], mapping })
    assert.deepEqual(await mapped(), lines)
    const told = async (...more: string[]) => (await runCommand(directory, ['import', source, '--company', company, ...more])).out
    assert.match(
      await told(),
      new RegExp(`^Imported: 0. Already there: 3. Refused: 0. From ${source} into the top folders Press, source\\.`),
    )
    assert.match(await told('--dry-run', '--folder', 'Archive/Old'), /into the folder Archive\/Old\.$/)
    assert.deepEqual(await foldersOf(company), ['2026', 'Press', 'Public gallery', 'source'])
    assert.deepEqual(await runJson(directory, ['check']), { clean: true, problems: [] })
  })

  it('takes what flat JSON beside a file says, and refuses files beside which it says what nobody knows', async () => {
    const beside = {
      title: 'Harbour',
      description: { da: 'Havn' },
      keywords: 'sea; dawn',
      byline: 'Anna',
      expiration_date: '2030-01-31',
      focal_point: '0.5,0.25',
    }
    await write(source, { 'flat.txt': 'f', 'flat.txt.json': `\uFEFF${JSON.stringify(beside)}`, 'unknown.txt': 'u', 'listed.txt': 'l' })
    await write(source, { 'unknown.txt.json': '{"titel":"x"}', 'listed.txt.json': '{"keywords":["a; b","c"],"title":null}' })
    const { imported, refused } = await importing()
    assert.deepEqual([imported, paths(refused)], [2, ['unknown.txt']])
    assert.match(refused[0].message, /unknown\.txt\.json.*titel: no field/)
    assert.deepEqual(saidByJson(JSON.stringify(beside)).metadata, {
      title: { en: 'Harbour' },
      description: { da: 'Havn' },
      keywords: { en: ['sea', 'dawn'] },
      byline: 'Anna',
      expires: '2030-01-31',
      focalPoint: { x: 0.5, y: 0.25 },
    })
    assert.deepEqual(saidByJson('{"focal_point": null}').metadata, { focalPoint: null })
    for (const wrong of ['1.5,0', { x: 2, y: 0 }, { x: 0.5 }, 0.5, []])
      assert.throws(() => saidByJson(JSON.stringify({ focal_point: wrong })), /^Error: focal_point must/)
  })

  it('puts all below a folder that an id or a path names', async () => {
    await write(source, { 'a.txt': 'a', 'Below/b.txt': 'b' })
    await importing('--folder', 'Archive/Old')
    const folders = await runJson(directory, ['folder', 'list', '--company', company])
    const names = (wanted: string) => folders.find(({ name }: { name: string }) => name === wanted)
    assert.equal(names('Below').parent, names('Old').folder_id)
    await write(source, { 'c.txt': 'c' })
    assert.equal((await importing('--folder', String(names('Old').folder_id))).imported, 1)
    assert.equal((await runJson(directory, ['folder', 'list', '--company', company])).length, folders.length)
  })

  it('refuses what lies, and takes the rest', async () => {
    await write(source, { 'good.txt': 'good', 'empty.txt': '', 'day.txt': 'day', 'one.txt': '1', 'two.txt': '2', 'bad.txt': '0' })
    await write(source, { 'bad.txt.json': '{' })
    await symlink('.', join(source, 'loop'))
    await symlink('/etc/hostname', join(source, 'link.txt'))
    await promisify(execFile)('mkfifo', [join(source, 'pipe')])
    const manifest = join(parent, 'rows.csv')
    const rows = ['good.txt,"A ""good"", one",2030-01-01,g', './day.txt,x,2030-02-31,d', 'one.txt,x,,same', 'two.txt,x,,same']
    rows.push('good.txt,again,,', '../source/good.txt,x,,', '/etc/passwd,x,,', 'missing.txt,x,,')
    await writeFile(manifest, ['\uFEFFpath,title,expiration_date,source_id', ...rows].join('\n'))
    const would = await importing('--manifest', manifest, '--dry-run')
    const { imported, refused } = await importing('--manifest', manifest)
    assert.equal(imported, 3)
    const listed = ['../source/good.txt', '/etc/passwd', 'day.txt', 'good.txt', 'missing.txt', 'two.txt']
    const expected = [...listed, 'bad.txt', 'link.txt', 'loop', 'pipe'].sort()
    assert.deepEqual(paths(refused), expected)
    assert.deepEqual([would.imported, paths(would.refused)], [imported, expected])
  })

  it.each([
    ['has unknown columns', 'path,titel\na.txt,x\n', /columns titel are unknown/],
    ['is cut off within quotes', 'path,title\na.txt,"x', /can't be read/],
  ])('takes nothing with a manifest that %s', async (_, text, problem) => {
    await write(source, { 'a.txt': 'a' })
    await write(parent, { 'rows.csv': text })
    const args = ['import', source, '--company', company, '--manifest', join(parent, 'rows.csv')]
    const { code, out, error } = await runCommand(directory, args)
    assert.deepEqual([code, out], [1, ''])
    assert.match(error, problem)
    assert.equal((await importing()).imported, 1)
  })

  it('knows files by source id: other bytes are a conflict, equal bytes of two ids are two files', async () => {
    const manifest = join(parent, 'rows.jsonl')
    const rows = [
      { path: 'a.txt', source_id: 1 },
      { path: 'b.txt', source_id: '2' },
    ]
    await writeFile(manifest, rows.map((row) => JSON.stringify(row)).join('\n'))
    await write(source, { 'a.txt': 'same', 'b.txt': 'same', 'c.txt': 'other', 'd.txt': 'other' })
    assert.deepEqual((await importing('--manifest', manifest)).imported, 3)
    await write(source, { 'a.txt': 'changed' })
    const { imported, existing, conflicts, refused } = await importing('--manifest', manifest, '--dry-run')
    assert.deepEqual([imported, existing, paths(conflicts), paths(refused)], [0, 3, ['a.txt'], ['a.txt']])
    assert.deepEqual(paths((await importing('--manifest', manifest)).refused), ['a.txt'])
  })

  it('tells all of very many rows that it refuses, to programs each, to people the first', async () => {
    await write(source, { 'a.txt': 'a' })
    const manifest = join(parent, 'rows.csv')
    await writeFile(manifest, `path\n${Array.from({ length: 20_000 }, (_, n) => `missing-${n}.txt\n`).join('')}`)
    const args = ['--manifest', manifest, '--dry-run']
    assert.equal(new Set(paths((await importing(...args)).refused)).size, 20_000)
    const { out } = await runCommand(directory, ['import', source, '--company', company, ...args])
    const lines = out.split('\n')
    assert.deepEqual([lines.length, lines.at(-2), lines.at(-1)!.slice(0, 14)], [102, 'and 19900 more; --json lists all', 'To import: 1. '])
  })

  it('makes each file once when two imports run at the same time', async () => {
    await write(source, Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n % 7}/${n}.txt`, `text ${n}`])))
    const both = await Promise.all([importing(), importing()])
    assert.equal(both[0].imported + both[1].imported, 60)
    assert.equal(both[0].existing + both[1].existing, 60)
    assert.equal((await runJson(directory, ['folder', 'list', '--company', company])).length, 8)
    assert.deepEqual(await runJson(directory, ['check']), { clean: true, problems: [] })
  })

  it('exports into no folder with other things, and goes on with an export that was cut off', async () => {
    const target = join(parent, 'out')
    await write(target, { 'mine.txt': 'mine' })
    const args = ['export', target, '--company', company]
    const { code, error } = await runCommand(directory, args)
    assert.equal(code, 1)
    assert.match(error, /is not empty/)
    await rm(join(target, 'mine.txt'))
    await write(target, { 'export.unfinished': '{"company":1}\n', 'data/half.jpg': 'ha' })
    assert.match((await runCommand(directory, args)).error, /another export/)
    await write(target, { 'export.unfinished': `{"company":${company}}\n` })
    const { code: refusal, error: why } = await runCommand(directory, ['import', target, '--company', company])
    assert.equal(refusal, 1)
    assert.match(why, /was cut off/)
    assert.deepEqual(await runJson(directory, args), { files: 0, bytes: 0 })
    assert.deepEqual((await readdir(target)).sort(), ['data', 'links.csv', 'manifest.csv', 'rights.json'])
  })
})

/** Until a busy machine has imported some files, in milliseconds. */
const LONGEST_WAIT = 300_000

describe('a company that moves to another library', () => {
  let from: Service
  let to: Service
  let parent: string
  let source: string
  let bag: string
  beforeAll(async () => {
    ;[from, to] = await Promise.all([startService(), startService()])
    parent = await mkdtemp(join(tmpdir(), 'export-test-'))
    source = join(parent, 'source')
    bag = join(parent, 'bag')
    const picture = await images['plain.jpg']()
    await write(source, {
      'Press/a.jpg': picture,
      'Press/a.jpg.xmp': xmp,
      'Press/100% ; x.txt': 'percent',
      'Press/100% ; x.txt.json': document('By JSON'),
      'Press/Deep/twice.txt': 'twice',
      'twice.txt': 'twice again',
    })
    const rows =
      'path,folder,title,keywords,created,source_id,copyright,focal_point\nPress/a.jpg,Press/Best\\/Worst,By row,x; y,2001-02-03 04:05:06,A1,Acme,"0.5, 0.25"\n'
    await write(parent, { 'rows.csv': rows })
    const args = ['import', source, '--company', String(from.demo.company_id), '--manifest', join(parent, 'rows.csv')]
    assert.equal((await runJson(from.directory!, args)).imported, 4)
    await vi.waitFor(async () => assert.equal((await shown(from)).length, 4), LONGEST_WAIT)
    const { body } = await (await from.client())['search-media']({ query: { q: 'By row', return_values: ['media_id'] } })
    const id = Number(body.response.media[0]!.media_id)
    // A copy in the published folder.
    await (await from.client())['copy-media']({ params: { id, folderId: from.demo.cdn_folder_id! } })
    await vi.waitFor(async () => {
      const { body } = await (await from.client())['search-media']({ query: { unique_media_id: id, return_values: ['cdn_urls'] } })
      assert.equal(body.response.media[0]?.cdn_urls?.length, 1)
    }, LONGEST_WAIT)
  })
  afterAll(async () => {
    await Promise.all([from?.stop(), to?.stop()])
    await rm(parent, { recursive: true, force: true })
  })

  /** Documents of all files, without what differs by design. */
  async function shown(service: Service) {
    const client = await service.client()
    const { body } = await client['search-media']({ query: { all: 1, return_values: ['media_id'], media_count: 100 } as never })
    const ids = body.response.media.map(({ media_id }) => Number(media_id))
    const documents = await Promise.all(ids.map(async (id) => (await client['get-media']({ params: { id } })).body))
    return documents.sort((one, other) => ('id' in one && 'id' in other ? one.id - other.id : 0))
  }

  it('takes the metadata of rows, JSON and XMP', async () => {
    const documents = (await shown(from)) as { filename: string }[]
    const named = (name: string) => documents.find(({ filename }) => filename === name)!
    expect(named('a.jpg')).toMatchObject({
      ...{ byline: 'Anna Berg', copyright: 'Acme', created: '2001-02-03 04:05:06' },
      ...{ metadata: { title: { en: 'By row' }, keywords: { en: ['x', 'y'] } }, focal_point: { x: 0.5, y: 0.25 } },
    })
    expect(named('named.txt')).toMatchObject({ metadata: { title: { en: 'By JSON', da: 'Havn' }, keywords: { da: ['båd'] } } })
  })

  /** A new group of the demo company. */
  async function group(service: Service, name: string): Promise<number> {
    const body = { name, svc_id: service.demo.company_id }
    return (await (await service.client())['create-clique']({ body })).body.id
  }
  /** What a group has, by the name of the folder. */
  async function sharedWith(service: Service, id: number) {
    const { body } = await (await service.client())['list-clique-folders']({ params: { id } })
    const folders = await runJson(service.directory!, ['folder', 'list', '--company', String(service.demo.company_id)])
    const nameOf = (wanted: number) => folders.find(({ folder_id }: { folder_id: number }) => folder_id === wanted).name
    return body.map(({ folder_id, permissions }) => [nameOf(folder_id), permissions])
  }

  it('is exported as a bag, and compares equal after its import, with ids, folders and what groups have', async () => {
    const groups = await Promise.all([group(from, 'Editors'), group(from, 'Alone'), group(from, 'Twice')])
    const folders = await runJson(from.directory!, ['folder', 'list', '--company', String(from.demo.company_id)])
    const folderId = folders.find(({ name }: { name: string }) => name === 'Press').folder_id
    for (const id of groups)
      await (await from.client())['share-folder-with-clique']({ params: { id, folderId }, body: { access: 'READ', upload: true } })
    const editors = await group(to, 'Editors')
    await Promise.all([group(to, 'Twice'), group(to, 'Twice')])
    const { files } = await runJson(from.directory!, ['export', bag, '--company', String(from.demo.company_id), '--bag'])
    assert.equal(files, 4)
    const args = ['import', bag, '--company', String(to.demo.company_id), '--keep-ids']
    const { out, error } = await runCommand(to.directory!, [...args, '--json'])
    const moved = JSON.parse(out)
    assert.deepEqual([moved.imported, moved.existing, moved.refused], [4, 0, []])
    assert.match(error, /several groups of the name Twice/)
    const shared = await sharedWith(to, editors)
    assert.deepEqual(shared, [['Press', ['READ', 'UPLOAD']]])
    assert.deepEqual(shared, await sharedWith(from, groups[0]))
    // A group that is missing is made, under its id.
    assert.deepEqual(await sharedWith(to, groups[1]), shared)
    await expect.poll(() => shown(to), { timeout: LONGEST_WAIT }).toHaveLength(4)
    assert.deepEqual(await shown(to), await shown(from))
    assert.deepEqual(await runJson(to.directory!, ['check']), { clean: true, problems: [] })
    const again = join(parent, 'again')
    await runJson(to.directory!, ['export', again, '--company', String(to.demo.company_id)])
    assert.equal(await readFile(join(again, 'manifest.csv'), 'utf8'), await readFile(join(bag, 'manifest.csv'), 'utf8'))
    assert.equal((await readFile(join(bag, 'links.csv'), 'utf8')).trim().split('\r\n').length, 2)
  })

  it('takes its presets along, but those whose names are in use', async () => {
    const [there, here] = [await from.client(), await to.client()]
    await there['create-preset']({ body: { name: 'card', query: 'width=640' } })
    await there['create-preset']({ body: { name: 'taken', query: 'width=64' } })
    await here['create-preset']({ body: { name: 'taken', query: 'width=32' } })
    const strict = ['cdn', 'set', '--company', String(from.demo.company_id), '--alias', 'demo', '--presets-only']
    await runJson(from.directory!, [...strict, 'on'])
    const target = join(parent, 'presets')
    await runJson(from.directory!, ['export', target, '--company', String(from.demo.company_id), '--bag'])
    await runJson(from.directory!, [...strict, 'off'])
    assert.match(await readFile(join(target, 'tagmanifest-sha256.txt'), 'utf8'), /presets\.json/)
    assert.match(await readFile(join(target, 'rights.json'), 'utf8'), /"presets_only": true/)
    const args = ['import', target, '--company', String(to.demo.company_id), '--json']
    for (const _ of [1, 2]) assert.match((await runCommand(to.directory!, args)).error, /The preset taken is left out/)
    const { presets } = (await here['list-presets']({})).body
    const said = presets.map(({ name, query }) => [name, query]).sort()
    assert.deepEqual(said, [
      ['card', 'width=640'],
      ['taken', 'width=32'],
    ])
    for (const { id } of (await there['list-presets']({})).body.presets) await there['delete-preset']({ params: { id } })
  })

  it('is exported from where an export was cut off, without what is gone from the library since', async () => {
    const target = join(parent, 'again-and-again')
    const args = ['export', target, '--company', String(from.demo.company_id)]
    const whole = await runJson(from.directory!, args)
    const files = async () => {
      const all = (await readdir(target, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
      const read = all.map(
        async ({ parentPath, name }) => [join(parentPath, name), await readFile(join(parentPath, name), 'utf8')] as const,
      )
      return Object.fromEntries((await Promise.all(read)).sort())
    }
    const before = await files()
    const originals = Object.keys(before).filter((path) => !/\.(json|xmp|csv)$/.test(path))
    const [kept, spoiled, half, missing] = originals as [string, string, string, string]
    await rm(missing)
    await writeFile(half, before[half]!.slice(1))
    await writeFile(spoiled, before[spoiled]!.replace(/./, '?'))
    await utimes(kept, 1, 1)
    await rm(join(target, 'manifest.csv'))
    const mark = `${JSON.stringify({ company: from.demo.company_id })}\n`
    await write(target, {
      'export.unfinished': mark,
      'data/Press/gone.txt': 'gone',
      'data/Press/gone.txt.json': '{}',
      'data/Gone/x.txt': 'x',
    })
    assert.deepEqual(await runJson(from.directory!, args), whole)
    assert.deepEqual(await files(), before)
    assert.equal((await stat(kept)).mtimeMs, 1_000)
    assert.ok(!(await readdir(join(target, 'data'))).includes('Gone'))
  })

  it('is no export where the disk was full, which is told', withMounts, async () => {
    const target = join(parent, 'full')
    await mkdir(target)
    const script = `mount -t tmpfs -o size=12k tmpfs "$TARGET" || exit 9
      "$@" export "$TARGET" --company "$COMPANY" --bag; echo "export $?"
      "$@" import "$TARGET" --company "$COMPANY"; echo "import $?"`
    const env = { PATH: process.env.PATH, DATA_DIR: from.directory!, TARGET: target, COMPANY: String(from.demo.company_id) }
    const ran = spawn('unshare', ['-rm', 'sh', '-c', script, 'sh', process.execPath, PROGRAM], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr] = await Promise.all([text(ran.stdout), text(ran.stderr)])
    assert.match(stdout, /^export 1\nimport 1\n$/)
    assert.match(stderr, /full can't be written: ENOSPC.*Run the command again/)
    assert.match(stderr, /was cut off/)
  })

  it.each([
    ['is cut off', (text: string) => text.slice(0, text.length / 2), /is damaged/],
    ['has rights that there are not', (text: string) => text.replace('"READ"', '"OWN"'), /is damaged: folders/],
  ])('is refused before anything is taken where its rights.json %s', async (_, lie, problem) => {
    const target = join(parent, 'lies')
    await runJson(from.directory!, ['export', target, '--company', String(from.demo.company_id)])
    const rights = join(target, 'rights.json')
    const text = await readFile(rights, 'utf8')
    assert.notEqual(lie(text), text)
    await writeFile(rights, lie(text))
    const { company_id: company } = await runJson(to.directory!, ['company', 'create', '--name', 'Lies'])
    const { code, error } = await runCommand(to.directory!, ['import', target, '--company', String(company), '--keep-ids'])
    assert.equal(code, 1)
    assert.match(error, problem)
    const folders = await runJson(to.directory!, ['folder', 'list', '--company', String(company)])
    assert.deepEqual(
      folders.map(({ name }: { name: string }) => name),
      ['Public gallery'],
    )
    await rm(target, { recursive: true })
  })

  it('is a bag that bagit validates, until a byte of it changes', async ({ skip }) => {
    const python = await pythonWith('bagit', '1.9.0').catch((error: Error) => skip(`bagit can't be installed: ${error.message}`))
    const validate = () => promisify(execFile)(python, ['-m', 'bagit', '--validate', bag])
    await validate()
    const [file] = (await readdir(join(bag, 'data'), { recursive: true })).filter((name) => name.endsWith('.jpg'))
    await writeFile(join(bag, 'data', file!), 'lies')
    await assert.rejects(validate())
  })
})
