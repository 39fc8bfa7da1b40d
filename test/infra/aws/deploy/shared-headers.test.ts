import assert from 'node:assert/strict'
import {
  type CloudFrontClient,
  CreateResponseHeadersPolicyCommand,
  ListResponseHeadersPoliciesCommand,
  ResponseHeadersPolicyAlreadyExists,
  type ResponseHeadersPolicyConfig,
} from '@aws-sdk/client-cloudfront'
import { describe, test } from 'vitest'
import { sharedPolicies } from '../../../../infra/aws/deploy/shared-headers.ts'
import { sharedHeaders } from '../../../../infra/aws/stack/shared-headers.ts'

/** An account's policies of headers, two to a page. @param others that it has already */
function account(others = 3) {
  const policies: { Id: string; ResponseHeadersPolicyConfig: ResponseHeadersPolicyConfig }[] = []
  const put = (config: ResponseHeadersPolicyConfig) => {
    if (policies.some(({ ResponseHeadersPolicyConfig: { Name } }) => Name === config.Name))
      throw new ResponseHeadersPolicyAlreadyExists({ message: 'exists', $metadata: {} })
    const policy = { Id: `policy-${policies.length}`, ResponseHeadersPolicyConfig: config }
    policies.push(policy)
    return policy
  }
  for (let n = 0; n < others; n++) put({ Name: `other-${n}` })
  const client = {
    async send(command: unknown) {
      if (command instanceof CreateResponseHeadersPolicyCommand)
        return { ResponseHeadersPolicy: put(command.input.ResponseHeadersPolicyConfig!) }
      assert.ok(command instanceof ListResponseHeadersPoliciesCommand)
      assert.equal(command.input.Type, 'custom')
      const from = Number(command.input.Marker ?? 0)
      const Items = policies.slice(from, from + 2).map((ResponseHeadersPolicy) => ({ Type: 'custom' as const, ResponseHeadersPolicy }))
      return { ResponseHeadersPolicyList: { Items, ...(from + 2 < policies.length && { NextMarker: String(from + 2) }) } }
    },
  }
  return { policies, client: client as unknown as CloudFrontClient }
}

describe('policies of headers that all stacks of an account have', () => {
  test('are made once, beside what the account has', async () => {
    const { policies, client } = account()
    const ids = await sharedPolicies(client)
    assert.deepEqual(Object.keys(ids).sort(), Object.keys(sharedHeaders).sort())
    assert.equal(policies.length, 3 + Object.keys(sharedHeaders).length)
    assert.deepEqual(await sharedPolicies(client), ids)
    assert.equal(policies.length, 3 + Object.keys(sharedHeaders).length)
  })

  test('have lists that are counted', async () => {
    const { policies, client } = account(0)
    await sharedPolicies(client)
    const { AccessControlAllowMethods } = policies[0]!.ResponseHeadersPolicyConfig.CorsConfig!
    assert.deepEqual(AccessControlAllowMethods, { Quantity: 3, Items: ['GET', 'HEAD', 'OPTIONS'] })
  })

  test('are those of another deployment that makes them at the same time', async () => {
    const { policies, client } = account()
    const [first, second] = await Promise.all([sharedPolicies(client), sharedPolicies(client)])
    assert.deepEqual(first, second)
    assert.equal(policies.length, 3 + Object.keys(sharedHeaders).length)
  })
})
