import assert from 'node:assert/strict'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import { type EndpointName, endpoints } from '../../functions/endpoints.ts'
import { apiClient } from '../../shared/http/declaration/client.ts'
import type { Endpoint } from '../../shared/http/declaration/endpoint.ts'
import { splitRoute } from '../../shared/http/declaration/route.ts'
import type { OpenApiDocument } from '../../shared/http/openapi/document.ts'
import { mediaKey } from '../../shared/library/media/keys.ts'
import type { Right } from '../../shared/library/tree/folder.ts'
import { toMediaId } from '../../shared/vocabulary/ids.ts'
import { conformity } from '../support/conformity.ts'
import { routeSettings } from '../support/service.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { successes } from '../support/successes.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { makeFiles, type World } from '../support/world.ts'

const { service, accounts, person } = await serviceWithAccounts()

/** What only users with READ may learn of a file. */
const secrets = {
  title: { en: 'secret title' },
  description: { en: 'secret description' },
  keywords: { en: ['secret keyword'] },
  byline: 'secret byline',
  copyright: 'secret copyright',
  filename: 'secret.txt',
  iptc: { Headline: 'secret headline' },
  geolocation: { source: 'secret', longitude: '12.5', latitude: '55.7' },
  cameraCreated: 1_234_567_890,
  expires: '2031-12-31',
}
const telling = /secret|12\.5|55\.7|1234567890|2031-12-31/

describe('without READ, the answer of a write tells nothing but what was sent', () => {
  let world: World
  let conforms: ReturnType<typeof conformity>
  beforeAll(async () => {
    conforms = conformity((await (await service.request('/openapi.json')).json()) as OpenApiDocument)
    const client = await service.client()
    world = { service, client, accounts, ...(await makeFiles(client)) }
  })
  beforeEach(async () => {
    const { client, folder, other, media } = world
    await accounts.table.update(mediaKey(toMediaId(media)), { set: secrets })
    for (const id of [folder, other]) await client['add-folder-tags']({ params: { id }, body: ['secret tag'] })
  })

  /** A user with this one right on the folders. */
  const holding = async (...rights: Right[]): Promise<Person> => {
    const somebody = await person()
    for (const folder of [world.folder, world.other]) await accounts.grant(folder, somebody.userId, rights)
    return somebody
  }

  const writes = (Object.keys(endpoints) as EndpointName[]).filter((name) => {
    const { access, route }: Endpoint = endpoints[name]
    return access === 'user' && splitRoute(route(routeSettings)).method !== 'GET'
  })
  for (const right of ['WRITE', 'ADMIN'] as const) {
    for (const name of writes) {
      test(`${name}, with ${right} alone`, async () => {
        const { authorization } = await holding(right)
        const endpoint: Endpoint = endpoints[name]
        const client = apiClient({ [name]: endpoint }, { baseUrl: service.baseUrl, ...routeSettings, authorization })
        const { status, body } = await client[name]!(await successes[name](world))
        assert.ok(status < 500)
        assert.doesNotMatch(JSON.stringify(body), telling)
        conforms(endpoint.route(routeSettings), status, body)
      })
    }
  }

  describe('and the shape is that of those who have READ', () => {
    const params = () => ({ id: world.media })
    test('keywords of a file: those that were sent', async () => {
      const { client } = await holding('WRITE')
      const added = await client['add-keywords']({ params: params(), body: { en: ['one'], da: ['en'] } })
      assert.deepEqual([added.status, added.body], [200, { en: ['one'], da: ['en'] }])
      const removed = await client['remove-keywords']({ params: params(), body: { en: ['one'] } })
      assert.deepEqual([removed.status, removed.body], [200, {}])
      const replaced = await client['replace-keywords']({ params: params(), body: { en: ['two'] } })
      assert.deepEqual([replaced.status, replaced.body], [200, { en: ['two'] }])
      const { keywords } = (await world.client['get-metadata']({ params: params() })).body
      assert.deepEqual(keywords, { en: ['two'] })
    })

    test('keywords of several files: of each as much as may be read', async () => {
      const { userId, client } = await holding('WRITE')
      const readable = (await world.client['create-folder']({ body: { name: 'Readable' } })).body.id
      await accounts.grant(readable, userId, ['READ', 'WRITE'])
      const other = Number((await uploadAndImport(world.client, readable, Buffer.from('text'), 'text.txt')).id)
      await world.client['replace-keywords']({ params: { id: other }, body: { en: ['there'] } })
      const id = `${world.media},${other}`
      const added = await client['add-keywords']({ params: { id }, body: { en: ['one'] } })
      assert.deepEqual(added.body, { [world.media]: { en: ['one'] }, [other]: { en: ['there', 'one'] } })
      const removed = await client['remove-keywords']({ params: { id }, body: { en: ['one'] } })
      assert.deepEqual(removed.body, { [world.media]: {}, [other]: { en: ['there'] } })
    })

    test('the metadata of a file: what was sent, and of the rest nothing', async () => {
      const sent = { editorial: true, title: { en: 'Title' }, keywords: { en: ['word'] } }
      const expected = { editorial: true, adult_content: false, title: { en: 'Title' }, description: {}, keywords: { en: ['word'] } }
      const { client } = await holding('WRITE')
      const { status, body } = await client['replace-metadata']({ params: params(), body: sent })
      assert.deepEqual([status, body], [200, { ...expected, iptc: null, geolocation: null }])
      const all = (await world.client['replace-metadata']({ params: params(), body: sent })).body
      const { iptc, geolocation, cameraCreated } = secrets
      assert.deepEqual(all, { ...expected, iptc, geolocation, camera_created: cameraCreated })
    })

    test('tags of a folder: those that were sent', async () => {
      const { client } = await holding('ADMIN')
      const at = { id: world.folder }
      const added = await client['add-folder-tags']({ params: at, body: ['one', 'two'] })
      assert.deepEqual([added.status, added.body], [200, ['one', 'two']])
      const removed = await client['remove-folder-tags']({ params: at, body: ['one'] })
      assert.deepEqual([removed.status, removed.body], [200, []])
      assert.deepEqual((await world.client['get-folder-tags']({ params: at })).body, ['secret tag', 'two'])
    })

    test('folders of a file: those in which the caller may write', async () => {
      const { userId, client } = await holding('WRITE')
      const hidden = (await world.client['create-folder']({ body: { name: 'Hidden' } })).body.id
      await accounts.grant(hidden, userId, ['UPLOAD'])
      await world.client['copy-media']({ params: { id: world.media, folderId: hidden } })
      const replace = (...folders: number[]) =>
        client['replace-media-folders']({ params: params(), body: folders.map((group_id) => ({ group_id })) })
      const kept = await replace(world.folder)
      assert.deepEqual([kept.status, kept.body], [200, [{ group_id: world.folder, status: 'RELEASED' }]])
      assert.equal((await replace(world.folder, hidden)).status, 403, 'whether the file is there is not told')
      await world.client['remove-media']({ params: { id: world.media, folderId: hidden } })
      assert.equal((await replace(world.folder, hidden)).status, 403)
    })

    test('a folder: as lists show it to every user with a right on it', async () => {
      const { client } = await holding('ADMIN')
      const { body } = await client['change-folder']({ params: { id: world.folder }, body: {} })
      const [listed] = (await client['list-folders']({ query: { id: world.folder } })).body
      assert.deepEqual(body, Object.fromEntries(Object.entries(listed!).filter(([name]) => name in body)))
    })
  })
})
