import assert from 'node:assert/strict'
import { images } from './pictures/index.ts'
import { type Person, serviceWithAccounts } from './service-with-accounts.ts'
import { uploadAndImport } from './uploading.ts'

/** A service with somebody who makes share links, for all tests of the file that calls this. */
export async function serviceWithShares() {
  const { person, accounts, service } = await serviceWithAccounts()
  const anybody = await service.client('')
  const maker = await person()
  const { client } = maker
  const folder = async (name: string, parent: number | null = null) => (await client['create-folder']({ body: { name, parent } })).body.id
  const picture = async (into: number, name: string) => Number((await uploadAndImport(client, into, await images['plain.jpg'](), name)).id)
  const contents = (secret: string, query: Record<string, number> = {}) => anybody['list-shared']({ params: { secret }, query })

  return {
    ...{ person, accounts, service, maker, client },
    /** Who has no account. */
    anybody,
    folder,
    /** Imports a picture of the maker's. @returns its id */
    picture,
    /** What a link shows to anybody. */
    contents,
    statusOf: async (secret: string) => (await contents(secret)).status,
    /** The files that a link shows, by their ids. */
    shown: async (secret: string, query: Record<string, number> = {}) => (await contents(secret, query)).body.files.map(({ id }) => id),
    /** Makes a link. @param by the maker, if nobody else */
    async make(body: Record<string, unknown>, by: Person = maker) {
      const { status, body: made } = await by.client['create-share']({ body: body as never })
      assert.equal(status, 200, JSON.stringify(made))
      return { ...made, secret: made.url!.split('/').at(-1)! }
    },
  }
}
