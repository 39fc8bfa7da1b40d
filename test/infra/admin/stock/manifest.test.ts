import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, it, onTestFinished } from 'vitest'
import { readManifest } from '../../../../infra/admin/stock/manifest.ts'

/** A folder with some files, and a manifest. @returns how to read the manifest */
async function folderWith(manifest: readonly unknown[] | string, files: Record<string, string> = { 'a.jpg': 'bytes' }) {
  const parent = await realpath(await mkdtemp(join(tmpdir(), 'manifest-test-')))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const folder = join(parent, 'stock')
  await mkdir(join(folder, 'below'), { recursive: true })
  await writeFile(join(parent, 'outside.jpg'), 'secret')
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  const path = join(folder, 'manifest.jsonl')
  await writeFile(path, typeof manifest === 'string' ? manifest : manifest.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return { parent, folder, path, read: () => readManifest(path) }
}

/** What is wrong with the entries of a manifest. */
async function problemsOf(manifest: readonly unknown[] | string, files?: Record<string, string>): Promise<string[]> {
  const { read } = await folderWith(manifest, files)
  return (await read()).problems.lines()
}

const languages = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${'ab'[Math.floor(n / 26)]}${String.fromCharCode(97 + (n % 26))}`, 'text']))

describe('a manifest', () => {
  it('is read with what its entries say, by languages, in NFC', async () => {
    const { read } = await folderWith([
      {
        ...{ id: 7, file: 'a.jpg', filename: 'Name.jpg' },
        ...{ title: { en: 'Havn\u0065\u0301' }, description: {}, keywords: { da: [' båd ', 'båd'] } },
      },
      { id: 'e\u0301', file: './below/../a.jpg' },
      { id: 'alone' },
    ])
    const { entries, problems } = await read()
    assert.deepEqual(problems.lines(), [])
    const [first, second, third] = [...entries.keys()]
    const { file, ...rest } = first!
    assert.deepEqual(rest, {
      id: '7',
      filename: 'Name.jpg',
      metadata: { title: { en: 'Havn\u00e9' }, description: {}, keywords: { da: ['båd'] } },
    })
    assert.deepEqual([file?.name, file?.bytes], ['a.jpg', 5])
    assert.deepEqual(await buffer(await file!.open()), Buffer.from('bytes'))
    assert.equal(await file!.sha256(), '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9')
    assert.deepEqual([second?.id, second?.file?.name, third], ['\u00e9', 'a.jpg', { id: 'alone', metadata: {} }])
  })

  it('may be a JSON array, and begin with a byte order mark', async () => {
    for (const text of ['\ufeff[\n {"id": "a"},\n {"id": 2} ]\n', '\ufeff{"id": "a"}\r\n\r\n{"id": 2}'])
      assert.deepEqual(
        [...(await (await folderWith(text)).read()).entries.keys()].map(({ id }) => id),
        ['a', '2'],
      )
  })

  it('takes links to files within its folder, and up to 24 languages', async () => {
    const { folder, read } = await folderWith([{ id: 'a', file: 'link.jpg', title: languages(24) }])
    await symlink('below/../a.jpg', join(folder, 'link.jpg'))
    assert.deepEqual((await read()).problems.lines(), [])
  })

  it.each([
    ['the same id as number and as text', [{ id: 5 }, { id: '5' }], ['entry 2 (id 5): has the id of entry 1']],
    ['the same id in NFC', [{ id: '\u00e9' }, { id: 'e\u0301' }], ['entry 2 (id \u00e9): has the id of entry 1']],
    ['the same id with white space around it', [{ id: 77 }, { id: ' 77\n' }], ['entry 2 (id 77): has the id of entry 1']],
    ['no id', [{ title: { en: 'a' } }], ['entry 1: id is missing']],
    ['an id of white space', [{ id: ' \u00a0\t' }], ['entry 1: id must not be empty']],
    ['a number below 0 as id', [{ id: -1 }], ['entry 1: id must be a string or a whole number']],
    ['a number too large to be exact as id', '{"id": 12345678901234567890}', ['entry 1: id must be a string or a whole number']],
    ['control characters in its id', [{ id: 'a\u0007' }], ['entry 1: id must not contain control characters']],
    ['an id that is too long', [{ id: 'x'.repeat(201) }], ['entry 1: id must be at most 200 characters']],
    ['a field that is not known', [{ id: 'a', colour: 'red' }], ['entry 1 (id a): colour is not known']],
    ['a field of a prototype', '{"id": "a", "__proto__": {"file": "/etc/passwd"}}', ['entry 1 (id a): __proto__ is not known']],
    ['a language of a prototype', '{"id": "a", "title": {"__proto__": "x"}}', ['entry 1 (id a): title.__proto__ is not known']],
    ['25 languages', [{ id: 'a', title: languages(25) }], ['entry 1 (id a): title must hold at most 24 languages']],
    ['no language', [{ id: 'a', keywords: { English: ['x'] } }], ['entry 1 (id a): keywords.English must be a language code such as en']],
    ['a long text', [{ id: 'a', title: { en: 'x'.repeat(50_001) } }], ['entry 1 (id a): title.en must be at most 50000 characters']],
    ['nothing as file', [{ id: 'a', file: null }], ['entry 1 (id a): file must be a string']],
    ['an item that is none', [17, null], ['entry 1: It must be an object.', 'entry 2: It must be an object.']],
  ])('is refused for %s', async (_, manifest, problems) => {
    assert.deepEqual(await problemsOf(manifest), problems)
  })

  it.each([
    ['that is not there', 'no.jpg', 'does not exist'],
    ['with an absolute path', '/etc/passwd', 'is not in the folder of the manifest'],
    ['above the folder, by a detour', 'below/../../outside.jpg', 'is not in the folder of the manifest'],
    ['behind a link that leads out', 'out.jpg', 'leads out of the folder of the manifest'],
    ['in a folder behind a link that leads out', 'up/outside.jpg', 'leads out of the folder of the manifest'],
    ['behind a link to itself', 'loop.jpg', 'is a link that leads to itself'],
    ['that is a pipe', 'pipe', 'is not a file'],
    ['that is a device behind a link', 'device', 'leads out of the folder of the manifest'],
    ['that is empty', 'empty.jpg', 'is empty'],
    ['with an endless name', `${'x'.repeat(300)}.jpg`, 'is too long a path'],
    ['with a NUL', 'a\0.jpg', 'is not in the folder of the manifest'],
  ])('is refused for a file %s', async (_, file, problem) => {
    const { parent, folder, read } = await folderWith([{ id: 'a', file }], { 'a.jpg': 'bytes', 'empty.jpg': '' })
    await symlink(join(parent, 'outside.jpg'), join(folder, 'out.jpg'))
    await symlink('..', join(folder, 'up'))
    await symlink('loop.jpg', join(folder, 'loop.jpg'))
    await symlink('/dev/zero', join(folder, 'device'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const [line, ...more] = (await read()).problems.lines()
    assert.ok(line?.startsWith('entry 1 (id a): its file "') && line.endsWith(`" ${problem}`), line)
    assert.deepEqual(more, [])
  })

  it('tells the first 20 problems, and how many more there are', async () => {
    const lines = await problemsOf(Array.from({ length: 100 }, (_, n) => ({ id: `item ${n}`, nonsense: n })))
    assert.deepEqual([lines.length, lines[19], lines[20]], [21, 'entry 20 (id item 19): nonsense is not known', 'and 80 more'])
  })

  it('shows what it quotes on one line, and not all of it', async () => {
    const [line] = await problemsOf([{ id: 'a', file: `new\nline${'x'.repeat(1_000)}` }])
    assert.ok(line && line.length <= 500 && !line.includes('\n'), line)
    const commands = '\u001b[2J\nentry 7'
    assert.deepEqual(await problemsOf([{ id: 'a', [commands]: 1, title: { [commands]: 'b' } }]), [
      'entry 1 (id a): title. [2J entry 7 must be a language code such as en',
      'entry 1 (id a):  [2J entry 7 is not known',
    ])
  })

  it.each([
    ['a line that is no JSON', '{"id": "a"}\n{id: 1}', /line 2 is no JSON/],
    ['a line of megabytes', `{"id": "${'x'.repeat(3_000_000)}"}`, /has a line that is too large/],
    ['100,001 entries', '{"id": 1}\n'.repeat(100_001), /more than 100000 entries: import it in parts/],
  ])('is no manifest with %s', async (_, manifest, message) => {
    const { read } = await folderWith(manifest)
    await assert.rejects(read(), message)
  })

  it('is refused with a file of more than 5 GiB, and itself with more than 256 MiB, before either is read', async () => {
    const { folder, path, read } = await folderWith([{ id: 'a', file: 'a.jpg' }])
    await truncate(join(folder, 'a.jpg'), 5 * 1024 ** 3 + 1)
    assert.deepEqual((await read()).problems.lines(), ['entry 1 (id a): its file "a.jpg" is larger than 5368709120 bytes'])
    await truncate(path, 256 * 1024 ** 2 + 1)
    await assert.rejects(read(), /is larger than 268435456 bytes: import it in parts/)
  })

  it('has to be there, and a file', async () => {
    const { folder } = await folderWith([])
    await assert.rejects(readManifest(join(folder, 'no.json')), /The manifest .*no\.json can't be read: .*no such file/)
    execFileSync('mkfifo', [join(folder, 'pipe')])
    await assert.rejects(readManifest(join(folder, 'pipe')), /is not a file/)
  })

  it('has entries whose files are what they were when it was read', async () => {
    const { folder, read } = await folderWith(
      ['a', 'b', 'c'].map((id) => ({ id, file: `${id}.jpg` })),
      { 'a.jpg': 'bytes', 'b.jpg': 'bytes', 'c.jpg': 'bytes', 'other.jpg': 'other' },
    )
    const files = [...(await read()).entries.keys()].map(({ file }) => file!)
    await writeFile(join(folder, 'a.jpg'), 'more bytes')
    await rename(join(folder, 'other.jpg'), join(folder, 'b.jpg'))
    await rm(join(folder, 'c.jpg'))
    await symlink('/etc/passwd', join(folder, 'c.jpg'))
    await assert.rejects(files[0]!.open(), /a\.jpg has changed while it was imported/)
    await assert.rejects(files[1]!.open(), /b\.jpg has changed while it was imported/)
    await assert.rejects(files[2]!.open())
  })
})
