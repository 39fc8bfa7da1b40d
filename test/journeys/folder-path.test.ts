import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'

describe('the path of a folder', async () => {
  const { person, accounts } = await serviceWithAccounts()
  const owner = await person()
  const create = async (name: string, parent: number | null = null) =>
    (await owner.client['create-folder']({ body: { name, parent } })).body.id
  const pathOf = async ({ client }: Person, id: number) => (await client['get-folder-path']({ params: { id } })).body.path
  const top = await create('Top')
  const middle = await create('Middle', top)
  const below = await create('Below', middle)
  const [atTop, atMiddle, atBelow] = [
    { id: top, name: 'Top' },
    { id: middle, name: 'Middle' },
    { id: below, name: 'Below' },
  ]

  test('leads from the topmost folder to the folder itself', async () => {
    assert.deepEqual(await pathOf(owner, below), [atTop, atMiddle, atBelow])
    assert.deepEqual(await pathOf(owner, top), [atTop])
  })

  test('begins with the topmost folder that the caller may see, with whatever right', async () => {
    for (const right of ['READ', 'WRITE', 'UPLOAD'] as const) {
      const other = await person()
      await accounts.grant(middle, other.userId, [right])
      assert.deepEqual(await pathOf(other, below), [atMiddle, atBelow])
      assert.equal((await other.client['get-folder-path']({ params: { id: top } })).status, 404)
    }
  })

  test('begins with the trashcan in the trash, and is nobody else there', async () => {
    const [first, second] = [await create('First'), await create('Second')]
    const inner = await create('Inner', first)
    for (const id of [first, second]) await owner.client['move-folder-to-trash']({ params: { id } })
    const [trashcan, ...others] = await pathOf(owner, inner)
    const { body: folders } = await owner.client['list-folders']({})
    const trash = folders.find(({ permissions }) => permissions.groups.includes('TRASH'))!
    assert.deepEqual(trashcan, { id: trash.id, name: trash.name })
    assert.deepEqual(others, [
      { id: first, name: 'First' },
      { id: inner, name: 'Inner' },
    ])
    const admin = await person({ admin: true })
    assert.equal((await admin.client['get-folder-path']({ params: { id: inner } })).status, 404)
  })
})
