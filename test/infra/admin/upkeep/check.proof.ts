import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { openLibrary } from '../../../../infra/admin/library/library.ts'
import { checkLibrary } from '../../../../shared/library/check/check.ts'
import { quadrantImage } from '../../../support/pictures/quadrants.ts'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'
import { upload, uploadAndImport } from '../../../support/uploading.ts'
import { runCommand } from '../run-command.ts'

/** How long a server under load is checked, one check after the other, in milliseconds. */
const CHECKED_FOR = 10_000

describe('check', async () => {
  const { service, accounts } = await serviceWithAccounts()
  const client = await service.client()

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
})
