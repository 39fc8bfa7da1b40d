import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { beforeAll, describe, test } from 'vitest'
import { Assembly } from '../support/aws/stack-assembly.ts'
import { type Service, startService } from '../support/service.ts'
import { cdk, deployed, folder, NO_BUCKET, settled, stack } from './changing.ts'

describe('updating the stack', () => {
  let service: Service
  let folderId: number
  beforeAll(async () => {
    service = await startService()
    folderId = service.demo.folder_id
  })
  const messageOfNothing = async () => ((await (await service.request('/nothing')).json()) as { message: string }).message
  const readFolder = async () => (await (await service.client())['get-folder']({ params: { id: folderId } })).status

  test('a changed function answers anew, and the data stays', async () => {
    const assembly = await deployed.copy(`${folder}/changed`)
    await assembly.changeFunction('fallback', (code) => code.replaceAll('There is no such', 'As changed, there is no such'))
    await cdk.deploy(assembly)
    assert.equal(await messageOfNothing(), 'As changed, there is no such resource.')
    assert.equal(await readFolder(), 200)
  })

  test('a changed setting reaches the functions, which keep the secrets that they have', async () => {
    const assembly = await deployed.copy(`${folder}/set`)
    await assembly.changeTemplates((text) => text.replaceAll(/(?<=\\"tokenLifetimeDays\\":)\d+/g, '7'))
    const known = await service.signIn()
    await cdk.deploy(assembly)
    assert.equal((await service.request('/folder', { headers: { authorization: known } })).status, 200, 'a token from before')
    const { demo, request } = service
    const ts = Math.floor(Date.now() / 1000)
    const hmac = createHmac('sha1', demo.api_secret).update(`${demo.api_key}:${ts}`).digest('hex')
    const body = JSON.stringify({ username: demo.username, password: demo.password, key: demo.api_key, ts, hmac })
    const answer = (await (await request('/authenticate/userpasshmac', { method: 'POST', body })).json()) as { validUntil: number }
    assert.ok(Math.abs(answer.validUntil - ts - 7 * 86_400) < 30)
    assert.equal(await messageOfNothing(), 'There is no such resource.', 'the function is the product’s own again')
  })

  test('an update that fails in a custom resource is rolled back: everything is as it was', async () => {
    const assembly = await new Assembly(`${folder}/set`, stack).copy(`${folder}/failing`)
    await assembly.changeFunction('fallback', (code) => code.replaceAll('There is no such', 'Never to be seen: there is no such'))
    const custom = Object.values(assembly.template().Resources).find(({ Type }) => Type === 'Custom::Buckets')
    const media = `"Media":${JSON.stringify(custom!.Properties!.Media)}`
    await assembly.changeTemplates((text) => text.replace(media, `"Media":"${NO_BUCKET}"`))
    await assert.rejects(cdk.deploy(assembly), /UPDATE_FAILED .*Custom::Buckets .*NoSuchBucket/)
    assert.equal(await settled(stack), 'UPDATE_ROLLBACK_COMPLETE')
    assert.equal(await messageOfNothing(), 'There is no such resource.')
    assert.equal(await readFolder(), 200)
  })
})
