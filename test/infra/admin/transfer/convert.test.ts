import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { runCommand } from '../run-command.ts'

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

/** By system: what it exports, and the manifest of that. */
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
  },
]

describe('convert', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'convert-test-'))
  afterAll(() => rm(parent, { recursive: true, force: true }))
  const write = async (path: string, text: string) => {
    await writeFile(join(parent, path), text)
    return join(parent, path)
  }

  it.each(systems)('makes a manifest of what $system exports', async (given) => {
    const files = await Promise.all(Object.entries(given.exported).map(([name, text]) => write(name, text)))
    const { code, out, error } = await runCommand('/nowhere', ['convert', ...files, '--from', given.system])
    assert.equal(code, 0, error)
    assert.deepEqual(
      out.split('\n').map((line) => JSON.parse(line)),
      given.manifest,
    )
  })

  it.each([
    ['is no JSON', 'directus', '{', /can't be converted/],
    ['has no files', 'cloudinary', '{"error": "x"}', /no such list/],
    ['has a circle of folders', 'directus', JSON.stringify([...directusFiles.data, { id: 'b', name: 'B', parent: 'b' }]), /no folder b/],
    ['has no column of names', 'resourcespace', 'Resource ID(s),Title\n1,x\n', /row 1 has no Original filename/],
  ])('says so where an export %s', async (_, system, text, problem) => {
    const file = await write('export', text)
    const { code, error } = await runCommand('/nowhere', ['convert', file, '--from', system])
    assert.equal(code, 1)
    assert.match(error, problem)
  })
})
