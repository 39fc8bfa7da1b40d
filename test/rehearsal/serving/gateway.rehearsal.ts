import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { stackResources } from '../../../infra/aws/library/stack-resources.ts'
import { emulator, type Service, startService } from '../../support/service.ts'

describe('in front of the functions', () => {
  let service: Service
  /** The gateway's own address, past the delivery network. */
  let gateway: string
  beforeAll(async () => {
    service = await startService()
    const api = (await stackResources(service.stack!)).find(({ type }) => type === 'AWS::ApiGateway::RestApi')!
    gateway = `${emulator}/_aws/execute-api/${api.physicalId}/v1`
  })
  afterAll(() => service.stop())

  const origin = 'https://client.example'

  test('an error that the gateway makes by itself has the shape and the headers of all others', async () => {
    const response = await fetch(`${gateway}/folder`, { method: 'PROPFIND', headers: { origin } })
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [404, origin])
    const { message, code, request_id } = (await response.json()) as Record<string, string>
    assert.ok(message && code)
    assert.equal(response.headers.get('x-svc-request-id'), request_id)
  })

  test('the API is at the root of its host, and says so in the addresses that it makes', async () => {
    const client = await service.client()
    const { body } = await client['register-upload']({ body: { folder: service.demo.folder_id } })
    const redirect = body.fields.find(({ name }) => name === 'success_action_redirect')
    assert.ok(redirect?.value)
    assert.equal(new URL(redirect.value).origin, service.baseUrl)
  })

  test('whoever goes past the delivery network can neither name a host nor an address', async () => {
    const headers = { authorization: await service.signIn(), 'x-viewer-host': 'evil.example', 'x-origin-key': 'guessed' }
    for (const base of [gateway, service.baseUrl]) {
      const response = await fetch(`${base}/upload/register`, { method: 'POST', headers, body: `{"folder":${service.demo.folder_id}}` })
      assert.equal(response.status, 200)
      assert.doesNotMatch(await response.text(), /evil/)
    }
  })
})
