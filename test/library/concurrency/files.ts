import assert from 'node:assert/strict'
import { test } from 'vitest'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import type { Right } from '../../../shared/library/tree/folder.ts'
import { toFolderId } from '../../../shared/vocabulary/ids.ts'
import { by } from '../../support/library.ts'
import type { SharedLibrary } from './shared-library.ts'

type Person = Awaited<ReturnType<SharedLibrary['user']>>

async function grant({ open, clock }: SharedLibrary, folderId: number, { user }: Person, rights: Right[]): Promise<void> {
  await setGrants({ table: open.backend.table, clock, by }, toFolderId(folderId), user.userId, () => rights)
}

async function newPerson(library: SharedLibrary, folderId: number, rights: Right[]): Promise<Person> {
  const person = await library.user()
  await grant(library, folderId, person, rights)
  return person
}

/** What happens to files and their pointers at the same time. */
export function fileScenarios(library: () => SharedLibrary): void {
  const copy = (file: number, folder: number) => library().request('POST', `/media/${file}/folder/${folder}`)
  const remove = (file: number, folder: number) => library().request('DELETE', `/media/${file}/folder/${folder}`)
  const move = (file: number, from: number, to: number) => library().request('POST', `/media/${file}/move`, { from, to })
  const deleteFolder = (folder: number) => library().request('DELETE', `/folder/${folder}`)
  const holders = async (file: number) =>
    (await library().ask<{ group_id: number }[]>('GET', `/media/${file}/folders`)).map(({ group_id }) => group_id)

  test('a file whose last pointer goes while it is copied lives on in the copy, or is gone and was not copied', async () => {
    const [a, b] = [await library().folder(), await library().folder()]
    for (let round = 0; round < library().rounds; round++) {
      const file = await library().file(a)
      const [copied, removed] = await library().together(copy(file, b), remove(file, a))
      assert.equal(removed!.status, 200)
      assert.ok(copied!.status === 200 || copied!.status === 404)
      if (copied!.status === 200) assert.deepEqual(await holders(file), [b])
      else assert.equal(await library().status(`/media/${file}`), 404)
    }
    assert.deepEqual(await library().problems(), [])
  })

  test('a file copied or moved into a folder while that is deleted goes with it, or stays where it was', async () => {
    const source = await library().folder()
    const copied: number[] = []
    for (let round = 0; round < library().rounds; round++) {
      const folder = await library().folder()
      const [file, other] = [await library().file(source), await library().file(source)]
      await library().together(copy(file, folder), deleteFolder(folder), move(other, source, folder))
      copied.push(file)
    }
    for (const file of copied) assert.deepEqual(await holders(file), [source])
    assert.deepEqual(await library().problems(), [])
    for (const file of copied) assert.deepEqual(await holders(file), [source])
  })

  test('a file that a reader copies while an editor places it there is full there, whoever comes first', async () => {
    const source = await library().folder()
    const reader = await newPerson(library(), source, ['READ'])
    for (let round = 0; round < library().rounds; round++) {
      const target = await library().folder()
      await grant(library(), target, reader, ['READ', 'WRITE'])
      const file = await library().file(source)
      const by = (method: 'POST' | 'DELETE', path: string, body?: unknown) => library().request(method, path, body, reader.authorization)
      const byReader = by('POST', `/media/${file}/folder/${target}`)
      const edit = by('POST', `/media/${file}/metadata/title`, { en: 'title' })
      const statuses = (await library().together(byReader, copy(file, target), byReader)).map(({ status }) => status)
      assert.deepEqual(statuses, [200, 200, 200])
      assert.equal((await library().together(edit))[0]!.status, 200)
      // Taken out and copied at the same time it is gone, or what the reader could make of it: READ alone once nothing else is left.
      await library().together(remove(file, target), byReader)
      await library().together(by('DELETE', `/media/${file}/folder/${target}`))
      await library().together(byReader)
      assert.equal((await library().together(edit))[0]!.status, 403)
    }
    assert.deepEqual(await library().problems(), [])
  })
}
