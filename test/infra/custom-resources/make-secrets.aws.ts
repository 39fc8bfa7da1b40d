import assert from 'node:assert/strict'
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { fillSecrets, type PublicHalves, publicHalfOf, STACK_PUBLIC_KEY } from '../../../infra/custom-resources/make-secrets.ts'
import { newSigningKey, withId } from '../../../shared/backends/secrets/signing-key.ts'

describe('the secrets of a deployment', () => {
  const client = new SecretsManagerClient()
  const run = crypto.randomUUID()
  const arns: Record<string, string> = {}
  let first: PublicHalves

  beforeAll(async () => {
    for (const name of ['ApiSecretsKey', 'UrlSigningKey', 'OriginKey']) {
      // As CloudFormation makes it: a secret without a value.
      const { ARN } = await client.send(new CreateSecretCommand({ Name: `${name}-${run}` }))
      arns[`${name}Arn`] = ARN!
    }
    first = await fillSecrets(client, arns)
  })
  afterAll(async () => {
    for (const SecretId of Object.values(arns)) await client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }))
    client.destroy()
  })

  const value = async (name: string) => (await client.send(new GetSecretValueCommand({ SecretId: arns[name] }))).SecretString!

  test('the public half that is told belongs to the P-256 key that is kept', async () => {
    const key = createPrivateKey(await value('UrlSigningKeyArn'))
    assert.equal(key.asymmetricKeyDetails?.namedCurve, 'prime256v1')
    const signature = sign('sha256', Buffer.from('url'), key)
    assert.ok(verify('sha256', Buffer.from('url'), createPublicKey(first.UrlPublicKey), signature))
    assert.ok(!first.UrlPublicKey.includes('PRIVATE'))
  })

  test('of the origin key only the hash is told', async () => {
    const [sealing, key] = [await value('ApiSecretsKeyArn'), await value('OriginKeyArn')]
    assert.equal(Buffer.from(sealing, 'base64').length, 32)
    assert.equal(first.OriginKeyHash, createHash('sha256').update(key).digest('hex'))
    assert.ok(key.length >= 32)
    assert.ok(!JSON.stringify(first).includes(key))
  })

  test('of a rotated key the half that the template names is told, and the hashes of both origin keys', async () => {
    const [url, origin] = [await value('UrlSigningKeyArn'), await value('OriginKeyArn')]
    const rotated = { current: withId(newSigningKey(), 'K2'), previous: url, since: 1 }
    const put = (SecretId: string, SecretString: string, ...VersionStages: string[]) =>
      client.send(new PutSecretValueCommand({ SecretId, SecretString, ...(VersionStages.length > 0 && { VersionStages }) }))
    await put(arns.UrlSigningKeyArn!, first.UrlPublicKey, STACK_PUBLIC_KEY)
    await put(arns.UrlSigningKeyArn!, JSON.stringify(rotated))
    await put(arns.OriginKeyArn!, 'the next')
    const told = await fillSecrets(client, arns)
    const hash = (key: string) => createHash('sha256').update(key).digest('hex')
    assert.deepEqual(told, { UrlPublicKey: first.UrlPublicKey, OriginKeyHash: `${hash('the next')},${hash(origin)}` })
    // A key that is none of the stack's must not pass for it: the deployment has to fail.
    const lost = newSigningKey()
    await put(arns.UrlSigningKeyArn!, lost)
    assert.equal((await fillSecrets(client, arns)).UrlPublicKey, publicHalfOf(lost))
    await put(arns.UrlSigningKeyArn!, url)
    for (const each of [' ', ' ', origin]) await put(arns.OriginKeyArn!, each)
    assert.deepEqual(await fillSecrets(client, arns), first)
  })

  test('what was emptied so that nothing of it is kept is made anew', async () => {
    const lost = await value('OriginKeyArn')
    for (const SecretString of [' ', '  ']) await client.send(new PutSecretValueCommand({ SecretId: arns.OriginKeyArn!, SecretString }))
    const { OriginKeyHash, UrlPublicKey } = await fillSecrets(client, arns)
    const made = await value('OriginKeyArn')
    assert.match(made, /^[0-9a-f]{64}$/)
    assert.notEqual(made, lost)
    assert.equal(OriginKeyHash, createHash('sha256').update(made).digest('hex'))
    assert.equal(UrlPublicKey, first.UrlPublicKey)
  })
})
