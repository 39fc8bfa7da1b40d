import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { endpoints } from '../../../functions/endpoints.ts'
import { openLibrary } from '../../../infra/admin/library.ts'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import type { ApiClient } from '../../../shared/http/client.ts'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import type { Problem } from '../../../shared/library/check/problem.ts'
import { usageKey } from '../../../shared/library/usage/usage.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { type Accounts, provisioning } from '../../support/accounts.ts'
import { quadrantImage } from '../../support/pictures/quadrants.ts'
import { type Service, startService } from '../../support/service.ts'
import { RunningClock } from '../../support/test-clock.ts'
import { upload, uploadAndImport } from '../../support/uploading.ts'
import { runCommand } from './run-command.ts'

/** How long a server under load is checked, one check after the other, in milliseconds. */
const CHECKED_FOR = 10_000

describe('check', () => {
  let service: Service
  let client: ApiClient<typeof endpoints>
  let accounts: Accounts
  beforeAll(async () => {
    service = await startService()
    client = await service.client()
    accounts = await provisioning(service)
  })
  afterAll(async () => {
    accounts.close()
    await service.stop()
  })

  const check = async () => {
    const { code, out, error } = await runCommand(service.directory!, ['check', '--json'])
    return { code, error, answer: JSON.parse(out) }
  }
  const clean = { code: 0, error: '', answer: { clean: true, problems: [] } }
  /** A check as slow as one of a large library: much happens between its pages. */
  const slowCheck = async () => {
    const library = await openLibrary({ stack: undefined, environment: { DATA_DIR: service.directory } })
    const { table, scanner, clock } = library
    const slowly = { scan: (page?: { cursor?: string }) => sleep(15).then(() => scanner.scan({ ...page, limit: 20 })) }
    try {
      return await checkLibrary({ table, scanner: slowly, media: await library.openMedia(), clock })
    } finally {
      library.close()
    }
  }
  const newFolder = async (parent: number | null = null) => (await client['create-folder']({ body: { name: 'Folder', parent } })).body.id
  const text = () => Buffer.from(`text ${Math.random()}`)
  const newPicture = async (folder: number) => uploadAndImport(client, folder, await quadrantImage().jpeg().toBuffer(), 'picture.jpg')
  const newFile = async (folder: number) => Number((await uploadAndImport(client, folder, text(), 'text.txt')).id)

  /** Files come, are worked with, and go in every way. */
  async function useFiles(): Promise<void> {
    const [folder, other] = [await newFolder(), await newFolder()]
    const [id, trashed, removed] = [await newFile(folder), await newFile(folder), await newFile(folder)]
    await newPicture(folder)
    await client['copy-media']({ params: { id, folderId: other } })
    await client['add-keywords']({ params: { id }, body: { en: ['one', 'two'] } })
    await client['move-media']({ params: { id }, body: { from: folder, to: await newFolder(other) } })
    await client['move-media-to-trash']({ params: { id: trashed, folderId: folder } })
    await client['remove-media']({ params: { id: removed, folderId: folder } })
  }

  /** Folders with files in them are moved, emptied, trashed and deleted. */
  async function useFolders(): Promise<void> {
    const [one, two, three] = [await newFolder(), await newFolder(), await newFolder()]
    const below = await newFolder(one)
    for (const folder of [one, below, two, three]) await upload(client, folder, text(), 'text.txt')
    await client['change-folder']({ params: { id: below }, body: { parent: two } })
    await client['purge-folder']({ params: { id: one } })
    await upload(client, one, text(), 'text.txt')
    await client['delete-folder']({ params: { id: two } })
    await client['move-folder-to-trash']({ params: { id: three } })
  }

  /** Cliques come, get and lose members and folders, and go with those they have left. */
  async function useCliques(): Promise<void> {
    const [anna, bert] = [await accounts.user(), await accounts.user()]
    const [kept, folder] = [await newFolder(), await newFolder()]
    const { body: clique } = await client['create-clique']({ body: { name: 'Clique', svc_id: service.demo.company_id } })
    const { id } = clique
    for (const { userId } of [anna, bert]) await client['add-clique-member']({ params: { id, userId } })
    for (const folderId of [kept, folder]) {
      await client['share-folder-with-clique']({ params: { id, folderId }, body: { access: 'READ' } })
    }
    await client['delete-folder']({ params: { id: folder } })
    await client['remove-clique-member']({ params: { id, userId: anna.userId } })
    await client['delete-clique']({ params: { id } })
  }

  it('finds a library clean that was used in every way', async () => {
    const folder = await newFolder()
    await newPicture(folder)
    await useFiles()
    await useFolders()
    await useCliques()
    assert.deepEqual(await check(), clean)
  })

  it('raises no false alarm while the library is in use', async () => {
    let busy = true
    let rounds = 0
    const again = async (use: () => Promise<void>) => {
      while (busy) {
        await use()
        rounds++
      }
    }
    const use = Promise.all([useFiles, useFolders, useCliques, useFiles].map(again))
    try {
      for (const end = performance.now() + CHECKED_FOR; performance.now() < end || rounds < 4; ) {
        assert.deepEqual(await check(), clean)
        assert.deepEqual(await slowCheck(), [])
      }
    } finally {
      busy = false
      await use
    }
  })

  it('says what is wrong, for programs and for people, and exits with 1; with --deep also whose bytes on the disk are others', async () => {
    const folder = await newFolder()
    const { id } = await uploadAndImport(client, folder, text(), 'text.txt')
    const other = await uploadAndImport(client, folder, Buffer.from('imported bytes'), 'text.txt')
    const { hasty } = new RunningClock()
    const checked = (...options: string[]) => runCommand(service.directory!, ['check', ...options], '', {}, hasty)
    const deep = () => checked('--deep', '--json')
    assert.deepEqual(await deep(), { code: 0, out: '{"clean":true,"problems":[]}', error: '' })
    const { company_id, user_id } = service.demo
    const media = { mediaId: toMediaId(Number(id)), companyId: company_id, uploadedBy: user_id, bytes: 0 }
    await accounts.table.update(usageKey(media), { add: { files: 1 } })
    const paths = embeddedLayout(service.directory!)
    const objects = openEmbeddedObjects(paths.media)
    const object = `${company_id}/${id}/tags.json`
    await objects.delete([object])
    objects.close()
    const index = new DatabaseSync(join(paths.media, 'index.db'), { readOnly: true })
    const { file } = index.prepare('SELECT file FROM objects WHERE key = ?').get(Buffer.from(`${company_id}/${other.id}/original`))!
    index.close()
    await writeFile(join(paths.media, 'data', String(file).slice(-2), String(file)), Buffer.alloc(Number(other.file_disksize), '?'))

    const [forPrograms, forPeople, deeply] = [await checked('--json'), await checked(), await deep()]
    assert.deepEqual([forPrograms.code, forPrograms.error, forPeople.code, forPeople.error], [1, '', 1, ''])
    const { problems, ...answer } = JSON.parse(forPrograms.out) as { clean: boolean; problems: [Problem, Problem] }
    assert.deepEqual(answer, { clean: false })
    const { pk, sk } = usageKey(media)
    const [{ message: ofObject, ...missing }, { message: ofUsage, ...wrong }, ...others] = problems
    assert.deepEqual(missing, { problem: 'object_missing', company_id, media_id: id, object })
    assert.equal(ofObject, `Of file ${id} the object ${object} is not stored.`)
    assert.deepEqual(wrong, { problem: 'usage_wrong', company_id, user_id, object: `${pk} ${sk}` })
    assert.match(ofUsage, /counted wrongly: \d+ files of \d+ bytes, and there are \d+ of \d+\.$/)
    assert.deepEqual(others, [])
    assert.match(forPeople.out, /^object_missing: Of file \d+ [\s\S]*\nusage_wrong: [\s\S]*\nProblems: 2\.$/)
    assert.equal(deeply.code, 1)
    const found = (JSON.parse(deeply.out) as { problems: Problem[] }).problems.map(({ message: _, ...rest }) => rest)
    const changed = { problem: 'original_md5_wrong', company_id, media_id: other.id }
    assert.deepEqual(
      new Set(found.map((each) => JSON.stringify(each))),
      new Set([missing, wrong, changed].map((each) => JSON.stringify(each))),
    )
  })
})
