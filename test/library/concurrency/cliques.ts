import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { SharedLibrary } from './shared-library.ts'

type Clique = { id: number; name: string }

/** What happens to cliques, their members and shares at the same time. */
export function cliqueScenarios(library: () => SharedLibrary): void {
  const clique = async () =>
    (await library().ask<Clique>('POST', '/clique', { name: 'clique', svc_id: library().companyId, thumbnail_id: null })).id
  const share = (id: number, folder: number) => library().request('POST', `/clique/${id}/folder/${folder}`, { access: 'READ' })
  const unshare = (id: number, folder: number) => library().request('DELETE', `/clique/${id}/folder/${folder}`)
  const join = (id: number, user: number) => library().request('POST', `/clique/${id}/member/${user}`)
  const leave = (id: number, user: number) => library().request('DELETE', `/clique/${id}/member/${user}`)
  const users = async (count: number) => {
    const made = await Promise.all(Array.from({ length: count }, () => library().user()))
    return made.map(({ user }) => user.userId)
  }
  const shared = async (id: number) =>
    (await library().ask<{ folder_id: number }[]>('GET', `/clique/${id}/folder`)).map(({ folder_id }) => folder_id)
  const members = async (id: number) =>
    (await library().ask<{ user_id: number }[]>('GET', `/clique/${id}/member`)).map(({ user_id }) => user_id)

  test('no share and no member of a clique is lost when many change at the same time', async () => {
    const id = await clique()
    const folders = await Promise.all(Array.from({ length: 20 }, () => library().folder()))
    const [gone, fresh] = [folders.slice(0, 10), folders.slice(10)]
    const [leaving, joining] = [await users(3), await users(3)]
    await library().together(...gone.map((folder) => share(id, folder)), ...leaving.map((user) => join(id, user)))
    const outcomes = await library().together(
      ...fresh.map((folder) => share(id, folder)),
      ...leaving.map((user) => leave(id, user)),
      ...gone.map((folder) => unshare(id, folder)),
      ...joining.map((user) => join(id, user)),
      library().request('POST', `/clique/${id}`, { name: 'renamed' }),
    )
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], [200])
    assert.deepEqual(await shared(id), fresh.toSorted(ascending))
    assert.deepEqual(await members(id), joining.toSorted(ascending))
    const cliques = await library().ask<Clique[]>('GET', '/clique')
    assert.equal(cliques.find((each) => each.id === id)?.name, 'renamed')
    assert.deepEqual(await library().problems(), [])
  })

  test('a user made member of many cliques at the same time, and twice of each, is in all of them once', async () => {
    const [user] = await users(1)
    const ids = await Promise.all(Array.from({ length: 8 }, clique))
    const outcomes = await library().together(...ids.map((id) => join(id, user!)), ...ids.map((id) => join(id, user!)))
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], [200])
    for (const id of ids) assert.deepEqual(await members(id), [user])
    assert.deepEqual(await library().problems(), [])
  })

  test('who joins a clique while it is deleted, and what is shared with it then, leaves nothing behind', async () => {
    const [first, second] = await users(2)
    const folder = await library().folder()
    for (let round = 0; round < 10; round++) {
      const id = await clique()
      await library().together(join(id, first!))
      const [deleted] = await library().together(library().request('DELETE', `/clique/${id}`), join(id, second!), share(id, folder))
      assert.equal(deleted!.status, 200)
      assert.equal(await library().status(`/clique/${id}/member`), 404)
    }
    assert.deepEqual(await library().problems(), [])
  })

  test('a folder shared while it is deleted leaves no share behind', async () => {
    const id = await clique()
    for (let round = 0; round < 10; round++) {
      const folder = await library().folder()
      await library().together(library().request('DELETE', `/folder/${folder}`), share(id, folder))
    }
    assert.deepEqual(await shared(id), [])
    assert.deepEqual(await library().problems(), [])
  })
}

const ascending = (a: number, b: number) => a - b
