import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { makeLibrary, runCommand, runJson } from './run-command.ts'

const directusFiles = {
  data: [
    {
      ...{ id: '8cbb43fe', storage: 'local', filename_disk: '8cbb43fe.jpg', filename_download: 'harbour.jpg', title: 'Harbour' },
      ...{ type: 'image/jpeg', folder: 'b', uploaded_on: '2024-03-01T09:30:00.000Z', description: 'Boats', tags: ['sea', 'boat'] },
    },
    { id: '1f', filename_disk: '1f.txt', filename_download: 'notes.txt', title: null, folder: null, tags: '["a"]', created_on: null },
  ],
}
const directusFolders = {
  data: [
    { id: 'b', name: 'Best/Worst', parent: 'a' },
    { id: 'a', name: 'Press', parent: null },
  ],
}
const resourceSpace = [
  '\uFEFF"Resource ID(s)","Resource type","Title","Caption","Keywords","Credit","Date","Original filename"',
  '"7","Photo","Dawn","A ""calm"" sea","sea,boat","Anna","2020-05-01 10:00","IMG_0001.jpg"',
  '"8","Photo","Dusk","","","","2020-05","IMG_0001.jpg"',
].join('\n')
const cloudinary = [
  {
    resources: [
      {
        ...{ asset_id: 'a1', public_id: 'press/dawn', format: 'jpg', resource_type: 'image', type: 'upload', tags: ['sea'] },
        ...{ created_at: '2023-11-05T12:00:00Z', context: { custom: { caption: 'Dawn', alt: 'A calm sea' } } },
      },
    ],
    next_cursor: 'x',
  },
  {
    resources: [
      { asset_id: 'a2', public_id: 'terms.pdf', resource_type: 'raw', asset_folder: 'legal/2023', display_name: 'terms', tags: [] },
    ],
  },
]

/** By system: what it exports, the manifest of that, and folders and old ids after the import. */
const systems = [
  {
    system: 'directus',
    exported: { 'files.json': JSON.stringify(directusFiles), 'folders.json': JSON.stringify(directusFolders) },
    manifest: [
      {
        ...{ path: '8cbb43fe.jpg', title: 'Harbour', description: 'Boats', created: '2024-03-01T09:30:00.000Z' },
        ...{ folder: 'Press/Best\\/Worst', keywords: ['sea', 'boat'], source_id: '8cbb43fe' },
      },
      { path: '1f.txt', title: 'notes.txt', keywords: ['a'], source_id: '1f' },
    ],
    folders: ['Best/Worst', 'Press', 'source'],
  },
  {
    system: 'resourcespace',
    exported: { 'resources.csv': resourceSpace },
    manifest: [
      {
        ...{ path: 'RS7_IMG_0001.jpg', title: 'Dawn', description: 'A "calm" sea', byline: 'Anna', created: '2020-05-01 10:00' },
        ...{ keywords: ['sea', 'boat'], source_id: '7' },
      },
      { path: 'RS8_IMG_0001.jpg', title: 'Dusk', source_id: '8' },
    ],
    folders: ['source'],
  },
  {
    system: 'cloudinary',
    exported: { 'page-1.json': JSON.stringify(cloudinary[0]), 'page-2.json': JSON.stringify(cloudinary[1]) },
    manifest: [
      {
        ...{ path: 'press/dawn.jpg', title: 'Dawn', description: 'A calm sea', created: '2023-11-05T12:00:00Z' },
        ...{ folder: 'press', keywords: ['sea'], source_id: 'a1' },
      },
      { path: 'terms.pdf', title: 'terms', folder: 'legal/2023', source_id: 'a2' },
    ],
    folders: ['2023', 'legal', 'press'],
  },
]

describe('convert', () => {
  let parent: string
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(parent, path)), { recursive: true })
    await writeFile(join(parent, path), text)
    return join(parent, path)
  }
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'convert-test-'))
  })
  afterEach(() => rm(parent, { recursive: true, force: true }))

  it.each(systems)('makes a manifest of what $system exports, by which its files are imported', async (given) => {
    const files = await Promise.all(Object.entries(given.exported).map(([name, text]) => write(name, text)))
    const { code, out, error } = await runCommand('/nowhere', ['convert', ...files, '--from', given.system])
    assert.equal(code, 0, error)
    assert.deepEqual(
      out.split('\n').map((line) => JSON.parse(line)),
      given.manifest,
    )
    for (const { path } of given.manifest) await write(`source/${path}`, `bytes of ${path}`)
    const directory = join(parent, 'data')
    await makeLibrary(directory)
    const company = String((await runJson(directory, ['company', 'create', '--name', 'Acme'])).company_id)
    const manifest = await write('manifest.jsonl', out)
    const args = ['import', join(parent, 'source'), '--company', company, '--manifest', manifest]
    const { imported, refused, mapping } = await runJson(directory, args)
    assert.deepEqual([imported, refused], [2, []])
    const ids = (await readFile(mapping, 'utf8'))
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0])
    assert.deepEqual(ids.sort(), given.manifest.map(({ source_id }) => source_id).sort())
    const folders: { name: string }[] = await runJson(directory, ['folder', 'list', '--company', company])
    assert.deepEqual(
      folders
        .map(({ name }) => name)
        .filter((name) => name !== 'Public gallery')
        .sort(),
      given.folders,
    )
  })

  it.each([
    ['is no JSON', 'directus', '{', /can't be converted/],
    ['has no files', 'cloudinary', '{"error": "x"}', /no such list/],
    ['names a folder that is missing', 'directus', JSON.stringify(directusFiles), /no folder b/],
    ['has a circle of folders', 'directus', JSON.stringify([...directusFiles.data, { id: 'b', name: 'B', parent: 'b' }]), /no folder b/],
    ['has no column of names', 'resourcespace', 'Resource ID(s),Title\n1,x\n', /row 1 has no Original filename/],
  ])('says so where an export %s', async (_, system, text, problem) => {
    const file = await write('export', text)
    const { code, error } = await runCommand('/nowhere', ['convert', file, '--from', system])
    assert.equal(code, 1)
    assert.match(error, problem)
  })

  it('needs to know the system', async () => {
    assert.equal((await runCommand('/nowhere', ['convert', 'x', '--from', 'paper'])).code, 2)
    assert.equal((await runCommand('/nowhere', ['convert', 'x'])).code, 2)
  })
})
