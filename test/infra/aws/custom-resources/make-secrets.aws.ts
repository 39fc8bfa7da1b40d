import assert from 'node:assert/strict'
import { createHash, createPrivateKey, createPublicKey, randomUUID, sign, verify } from 'node:crypto'
import { GetParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { afterAll, describe, test } from 'vitest'
import {
  fillKeys,
  keepPublicHalf,
  onceAllowed,
  publicHalfOf,
  removeKeys,
  type WantedKeys,
} from '../../../../infra/aws/custom-resources/make-secrets.ts'
import { keyParameterArn } from '../../../../infra/homes/key-parameters.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { parameterName } from '../../../../shared/backends/secrets/parameters.ts'
import { newSigningKey, withId } from '../../../../shared/backends/secrets/signing-key.ts'

const ssm = new SSMClient()
afterAll(() => ssm.destroy())

/** Keys of a stack of its own, which are not made yet. */
function wantedKeys(): WantedKeys {
  const stackId = `arn:aws:cloudformation:us-east-1:000000000000:stack/library/${randomUUID()}`
  return {
    ...{ ApiSecretsKeyArn: keyParameterArn(stackId, 'apiSecretsKey'), UrlSigningKeyArn: keyParameterArn(stackId, 'urlSigningKey') },
    ...{ OriginKeyArn: keyParameterArn(stackId, 'originKey'), UrlPublicKeyArn: keyParameterArn(stackId, 'urlPublicKey') },
    ApiSecretsKey: 'own',
  }
}
const read = async (Name: string) => (await ssm.send(new GetParameterCommand({ Name, WithDecryption: true }))).Parameter!
const value = async (arn: string) => (await read(arn)).Value!
const put = (arn: string, Value: string) =>
  ssm.send(new PutParameterCommand({ Name: parameterName(arn), Value, Type: 'SecureString', Overwrite: true }))
const hash = (key: string) => createHash('sha256').update(key).digest('hex')

describe('the keys of a deployment', () => {
  test('are secret, belong to what is told of them, and stay in later deployments', async () => {
    const keys = wantedKeys()
    const told = await fillKeys(ssm, keys)
    const [sealing, url, origin] = await Promise.all([keys.ApiSecretsKeyArn, keys.UrlSigningKeyArn, keys.OriginKeyArn].map(read))
    for (const parameter of [sealing, url, origin]) assert.equal(parameter!.Type, 'SecureString')
    assert.equal(Buffer.from(sealing!.Value!, 'base64').length, 32)
    const key = createPrivateKey(url!.Value!)
    assert.equal(key.asymmetricKeyDetails?.namedCurve, 'prime256v1')
    assert.ok(verify('sha256', Buffer.from('url'), createPublicKey(told.UrlPublicKey), sign('sha256', Buffer.from('url'), key)))
    assert.ok(!told.UrlPublicKey.includes('PRIVATE'))
    assert.match(origin!.Value!, /^[0-9a-f]{64}$/)
    assert.equal(told.OriginKeyHash, hash(origin!.Value!))
    assert.deepEqual(await fillKeys(ssm, keys), told)
    for (const { ARN, Version } of [sealing!, url!, origin!]) assert.equal((await read(ARN!)).Version, Version)
  })

  test('are the same for two runs at once: CloudFormation may ask twice', async () => {
    const keys = wantedKeys()
    const [one, other] = await Promise.all([fillKeys(ssm, keys), fillKeys(ssm, keys)])
    assert.deepEqual(one, other)
  })

  test('that were rotated: the half that the template names is told, and the hashes of both origin keys', async () => {
    const keys = wantedKeys()
    const first = await fillKeys(ssm, keys)
    const [url, origin] = [await value(keys.UrlSigningKeyArn), await value(keys.OriginKeyArn)]
    await keepPublicHalf(ssm, keys)
    await put(keys.UrlSigningKeyArn, JSON.stringify({ current: withId(newSigningKey(), 'K2'), previous: url, since: 1 }))
    await keepPublicHalf(ssm, keys)
    await put(keys.OriginKeyArn, JSON.stringify({ current: 'the next', previous: origin, since: 1 }))
    const told = { UrlPublicKey: first.UrlPublicKey, OriginKeyHash: `${hash('the next')},${hash(origin)}` }
    assert.deepEqual(await fillKeys(ssm, keys), told)
    // A key that is none of the stack's must not pass for it: the deployment has to fail.
    const lost = newSigningKey()
    await put(keys.UrlSigningKeyArn, lost)
    assert.equal((await fillKeys(ssm, keys)).UrlPublicKey, publicHalfOf(lost))
  })

  test('go with the stack, but for the one to records where the stack keeps or adopts it', async () => {
    for (const ApiSecretsKey of ['own', 'kept', 'adopted'] as const) {
      const keys = wantedKeys()
      await fillKeys(ssm, keys)
      await keepPublicHalf(ssm, keys)
      await removeKeys(ssm, { ...keys, ApiSecretsKey })
      // Also where CloudFormation asks twice.
      await removeKeys(ssm, { ...keys, ApiSecretsKey })
      const left = await Promise.allSettled(
        [keys.ApiSecretsKeyArn, keys.UrlSigningKeyArn, keys.OriginKeyArn, keys.UrlPublicKeyArn].map(read),
      )
      const isLeft = left.map(({ status }) => status === 'fulfilled')
      assert.deepEqual(isLeft, [ApiSecretsKey !== 'own', false, false, false], ApiSecretsKey)
    }
  })

  test('an adopted one is used as it is, and has to be there', async () => {
    const earlier = wantedKeys()
    await fillKeys(ssm, { ...earlier, ApiSecretsKey: 'kept' })
    const keys: WantedKeys = { ...wantedKeys(), ApiSecretsKeyArn: earlier.ApiSecretsKeyArn, ApiSecretsKey: 'adopted' }
    await fillKeys(ssm, keys)
    assert.equal((await read(keys.ApiSecretsKeyArn)).Version, 1)
    const nowhere: WantedKeys = { ...keys, ApiSecretsKeyArn: wantedKeys().ApiSecretsKeyArn }
    await assert.rejects(fillKeys(ssm, nowhere), /There is no parameter \/media-library\/library\/[\w-]+\/apiSecretsKey in/)
  })
})

describe('rights that an update has just given', () => {
  const denied = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' })
  /** @returns how it ended, and the milliseconds that it waited */
  async function ending(failures: number, failure = denied) {
    const pauses: number[] = []
    const clock = { ...systemClock, sleep: async (ms: number) => void pauses.push(ms) }
    const work = async () => {
      if (pauses.length < failures) throw failure
      return 'done'
    }
    return [await onceAllowed(work, clock).catch((error: Error) => error.message), pauses.reduce((sum, ms) => sum + ms, 0)]
  }

  test('are waited for some seconds, which no other failure is', async () => {
    assert.deepEqual(await ending(3), ['done', 15_000])
    assert.deepEqual(await ending(100), ['not authorized', 40_000])
    assert.deepEqual(await ending(1, new Error('broken')), ['broken', 0])
  })
})
