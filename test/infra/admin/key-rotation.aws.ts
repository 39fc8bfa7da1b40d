import assert from 'node:assert/strict'
import { createHash, createPublicKey, randomBytes, randomUUID } from 'node:crypto'
import {
  CreateKeyGroupCommand,
  CreatePublicKeyCommand,
  DeleteKeyGroupCommand,
  DeletePublicKeyCommand,
  GetDistributionConfigCommand,
  GetKeyGroupCommand,
  GetPublicKeyCommand,
  ListPublicKeysCommand,
} from '@aws-sdk/client-cloudfront'
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest'
import { rotateKey } from '../../../infra/admin/key-rotation/rotate-key.ts'
import { secretsKeyWork } from '../../../infra/admin/key-rotation/secrets-key.ts'
import { keepPublicHalf } from '../../../infra/admin/key-rotation/stack-keys.ts'
import { type StackResource, stackResources } from '../../../infra/admin/key-rotation/stack-resources.ts'
import { removeRotatedKeys, stackUrlKeyWork } from '../../../infra/admin/key-rotation/stack-url-key.ts'
import { fillSecrets, publicHalfOf } from '../../../infra/custom-resources/make-secrets.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { cloudFrontUrls } from '../../../shared/backends/edge/cloudfront.ts'
import { verifySignedUrl } from '../../../shared/backends/edge/signed-url.ts'
import { cloudFrontClient } from '../../../shared/backends/edge-cache/cloudfront.ts'
import { KeyReplaced } from '../../../shared/backends/secrets/port.ts'
import { newSealingKey } from '../../../shared/backends/secrets/sealing-key.ts'
import { KNOWN_MS, secretsManager } from '../../../shared/backends/secrets/secrets-manager.ts'
import { secretsManagerKeyStore } from '../../../shared/backends/secrets/secrets-manager-store.ts'
import { newSigningKey, readSigningKey } from '../../../shared/backends/secrets/signing-key.ts'
import { dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import type { ApiEvent } from '../../../shared/http/exchange.ts'
import { viewerOf } from '../../../shared/http/viewer.ts'
import { createKey, listKeys } from '../../../shared/library/accounts/api-keys.ts'
import { decryptApiSecret } from '../../../shared/library/accounts/api-secrets.ts'
import { createCompany } from '../../../shared/library/accounts/companies.ts'
import { makeTemporaryTable } from '../../backends/table/temporary-table.ts'
import { makeStack, type TemporaryStack } from '../../support/aws/library-stack.ts'
import { patientClient } from '../../support/aws/patient-client.ts'
import { runCommand } from './run-command.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const by = { kind: 'operator', command: 'test' } as const

/** A clock that moves only when somebody waits. @param meanwhile runs once a wait, in its middle and at its end */
function waiting(meanwhile: (now: number) => Promise<void> = async () => undefined) {
  let now = 1_700_000_000_000
  const told: string[] = []
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      for (const part of [ms / 2, ms / 2]) {
        now += part
        await meanwhile(now)
      }
    },
  }
  return { clock, told, tell: (line: string) => void told.push(line) }
}

const secrets = new SecretsManagerClient()
const made: string[] = []
afterAll(async () => {
  for (const SecretId of made) await secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }))
  secrets.destroy()
})

async function newSecret(SecretString: string): Promise<string> {
  const { ARN } = await secrets.send(new CreateSecretCommand({ Name: `rotation-${randomUUID()}`, SecretString }))
  made.push(ARN!)
  return ARN!
}
const textOf = async (arn: string) => (await secrets.send(new GetSecretValueCommand({ SecretId: arn }))).SecretString!

describe('keys of a stack that rotate', () => {
  const dynamo = patientClient()
  let temporary: Awaited<ReturnType<typeof makeTemporaryTable>>
  beforeEach(async () => {
    temporary = await makeTemporaryTable(dynamo)
  })
  afterEach(() => temporary.remove())
  afterAll(() => dynamo.destroy())
  const storeOf = (arn: string) => secretsManagerKeyStore({ arn, client: secrets })

  it('functions that read the key at any time open what others have sealed, and at last it is all sealed with the new key', async () => {
    const [first, table] = [newSealingKey(), dynamoTable({ tableName: temporary.tableName, client: dynamo })]
    const arn = await newSecret(first)
    // Each has read the key at another time, and goes on with it for five minutes.
    const processes = () =>
      Array.from({ length: 3 }, () => secretsManager({ arns: { apiSecretsKey: arn }, client: secrets, clock: surroundings.clock }))
    const running: ReturnType<typeof processes> = []
    const library = { table, clock: systemClock, by }
    const companyId = (await createCompany(library, 'Acme')).companyId
    const surroundings = waiting(async () => {
      running.push(...processes())
      const sealed = []
      for (const apiSecretsKey of running) sealed.push(await createKey({ ...library, apiSecretsKey }, { companyId, grants: [] }))
      for (const apiSecretsKey of running) {
        for (const { record, secret } of sealed) {
          assert.equal(await decryptApiSecret({ apiSecretsKey }, record.key, record.encryptedSecret), secret)
        }
      }
    })
    running.push(...processes())
    for (const each of running) await each.get('apiSecretsKey')

    const store = storeOf(arn)
    const rotated = await rotateKey(store, secretsKeyWork(table, surroundings.tell), surroundings)
    assert.equal(rotated.previous, first)
    assert.deepEqual(JSON.parse(await textOf(arn)), rotated)
    const alone = { apiSecretsKey: { get: async () => ({ current: rotated.current }) } }
    const keys = await listKeys({ table }, companyId)
    assert.ok(keys.length > 10)
    for (const { key, encryptedSecret } of keys) assert.match(await decryptApiSecret(alone, key, encryptedSecret), /^[0-9a-f]{64}$/)
    assert.match(surroundings.told.join('\n'), /Waiting until .*\nWaiting until .*\nEncrypted anew: \d+ stored secrets/)
    assert.ok(store.knownMs > KNOWN_MS)
  })

  it('a rotation that was interrupted is gone on with, and never with a value that nobody knows', async () => {
    const [first, table] = [newSealingKey(), dynamoTable({ tableName: temporary.tableName, client: dynamo })]
    const arn = await newSecret(first)
    const store = storeOf(arn)
    const stopped = waiting(() => Promise.reject(new Error('killed')))
    await assert.rejects(rotateKey(store, { makeNext: async () => newSealingKey() }, stopped), /killed/)
    const { current, next } = JSON.parse(await textOf(arn))
    assert.equal(current, first)
    const again = waiting()
    const rotated = await rotateKey(store, secretsKeyWork(table, again.tell), again)
    assert.deepEqual([rotated.current, rotated.previous], [next, first])
    assert.match(again.told.join('\n'), /An earlier rotation was interrupted/)
  })

  it('of two that replace a key at once one does, and the other says so', async () => {
    const store = storeOf(await newSecret(newSealingKey()))
    const read = await store.read()
    const values = [newSealingKey(), newSealingKey()].map((current) => ({ current, previous: read.values.current, since: 1 }))
    const [won] = values
    await store.replace(read, won!)
    await assert.rejects(store.replace(read, values[1]!), KeyReplaced)
    assert.deepEqual((await store.read()).values, won)
  })
})

describe('the key of a stack that signs URLs', () => {
  const cloudFront = cloudFrontClient()
  let arn: string
  let group: string
  let firstId: string
  const name = `library-Delivery-UrlKeysName-${randomUUID()}-eu-west-1`.slice(0, 64)
  beforeAll(async () => {
    const first = newSigningKey()
    arn = await newSecret(first)
    firstId = await publicKey(`first-${randomUUID()}`, first)
    const KeyGroupConfig = { Name: name, Items: [firstId] }
    group = (await cloudFront.send(new CreateKeyGroupCommand({ KeyGroupConfig }))).KeyGroup!.Id!
  })
  afterAll(async () => {
    const { ETag } = await cloudFront.send(new GetKeyGroupCommand({ Id: group }))
    await cloudFront.send(new DeleteKeyGroupCommand({ Id: group, IfMatch: ETag }))
    await removeRotatedKeys(cloudFront, name, () => true)
    assert.deepEqual(await rotatedIds(), [])
    const first = await cloudFront.send(new GetPublicKeyCommand({ Id: firstId }))
    await cloudFront.send(new DeletePublicKeyCommand({ Id: firstId, IfMatch: first.ETag }))
    cloudFront.destroy()
  })

  async function publicKey(Name: string, pem: string): Promise<string> {
    const PublicKeyConfig = { Name, CallerReference: Name, EncodedKey: publicHalfOf(pem) }
    return (await cloudFront.send(new CreatePublicKeyCommand({ PublicKeyConfig }))).PublicKey!.Id!
  }
  const groupIds = async () => (await cloudFront.send(new GetKeyGroupCommand({ Id: group }))).KeyGroup!.KeyGroupConfig!.Items!
  const allKeys = async () => (await cloudFront.send(new ListPublicKeysCommand({}))).PublicKeyList?.Items ?? []
  const rotatedIds = async () => (await allKeys()).filter((key) => key.Name!.startsWith(name.slice(0, 50))).map(({ Id }) => Id!)

  /** What CloudFront says of a URL: it verifies it by the keys that its group has. */
  async function verdict(url: string): Promise<string> {
    const keys = await Promise.all(
      (await groupIds()).map(async (Id) => {
        const { PublicKey } = await cloudFront.send(new GetPublicKeyCommand({ Id }))
        return { keyPairId: Id, publicKey: createPublicKey(PublicKey!.PublicKeyConfig!.EncodedKey!) }
      }),
    )
    return verifySignedUrl(url, keys, 0)
  }
  const work = () => stackUrlKeyWork(cloudFront, { group, firstId })
  const store = () => secretsManagerKeyStore({ arn, client: secrets })
  const delivery = { expires: 4_000_000_000_000 }

  it('each URL is valid when it is signed, whenever its function has read the key, until two rotations later', async () => {
    const handedOut: string[] = []
    const signers: ReturnType<typeof cloudFrontUrls>[] = []
    const surroundings = waiting(async () => {
      signers.push(urlsOf(surroundings.clock))
      for (const [n, signer] of signers.entries()) {
        const url = await signer.sign(`a${n}`, delivery)
        assert.equal(await verdict(url), 'valid')
        handedOut.push(url)
      }
    })
    await keepPublicHalf(secrets, arn)
    const stackKey = await fillUrlKey()
    const first = await urlsOf().sign('first', delivery)
    await rotateKey(store(), work(), surroundings)
    assert.equal((await groupIds()).length, 2)
    assert.ok((await groupIds()).includes(firstId))
    assert.equal(await verdict(first), 'valid')
    const ofFirst = [...handedOut]
    assert.ok(ofFirst.some((url) => url.includes(firstId)) && ofFirst.some((url) => !url.includes(firstId)))
    for (const url of ofFirst) assert.equal(await verdict(url), 'valid')
    // The next deployment tells CloudFront what the template has named from the beginning.
    assert.equal(await fillUrlKey(), stackKey)

    await rotateKey(store(), work(), surroundings)
    assert.equal(await verdict(first), 'forged')
    assert.deepEqual((await groupIds()).includes(firstId), false)
    for (const url of ofFirst.filter((each) => !each.includes(firstId))) assert.equal(await verdict(url), 'valid')
    await rotateKey(store(), work(), surroundings)
    // The stack's own key stays: CloudFormation removes it. Others that are not in use are gone.
    assert.deepEqual((await rotatedIds()).sort(), (await groupIds()).sort())
    assert.ok((await allKeys()).some(({ Id }) => Id === firstId))
    assert.equal(await fillUrlKey(), stackKey)
  })

  it('what an interrupted rotation has left at CloudFront is used, or removed', async () => {
    const isNamed = (each: string) => (line: string) => line.includes(each)
    // Before it was stored: an orphan. Then, in the first wait.
    const orphan = readSigningKey(await work().makeNext(), '').keyPairId
    assert.ok((await rotatedIds()).includes(orphan))
    const stopped = waiting(() => Promise.reject(new Error('killed')))
    stopped.clock.now = () => 2_000_000_000_000
    await assert.rejects(rotateKey(store(), work(), stopped), /killed/)
    const { next } = (await store().read()).values
    const surroundings = waiting()
    surroundings.clock.now = () => 2_100_000_000_000
    const { current } = await rotateKey(store(), work(), surroundings)
    assert.equal(current, next)
    assert.ok(surroundings.told.some(isNamed('interrupted')))
    assert.ok(!(await rotatedIds()).includes(orphan))
    assert.deepEqual((await rotatedIds()).sort(), (await groupIds()).sort())
  })

  /** What a function signs URLs with that reads the key once it needs it. */
  const urlsOf = (clock?: Parameters<typeof secretsManager>[0]['clock']) =>
    cloudFrontUrls({
      baseUrl: 'https://files.example',
      keyPairId: firstId,
      secrets: secretsManager({ arns: { urlSigningKey: arn }, client: secrets, ...(clock && { clock }) }),
    })

  /** What a deployment reads of the key. */
  async function fillUrlKey(): Promise<string> {
    const [ApiSecretsKeyArn, OriginKeyArn] = await Promise.all([newSealingKey(), 'the key of the origin'].map(newSecret))
    return (await fillSecrets(secrets, { ApiSecretsKeyArn, UrlSigningKeyArn: arn, OriginKeyArn })).UrlPublicKey
  }
})

describe('the key by which CloudFront proves itself to a stack', () => {
  const cloudFront = cloudFrontClient()
  const lambda = new LambdaClient()
  const [first, sealing] = [randomBytes(32).toString('hex'), newSealingKey()]
  let stack: TemporaryStack
  let resources: StackResource[]
  beforeAll(async () => {
    const role = { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } } }
    const fn = (Variables: Record<string, string>) => ({
      Type: 'AWS::Lambda::Function',
      Properties: {
        ...{ Code: { ZipFile: 'exports.handler = () => {}' }, Runtime: 'nodejs24.x', Handler: 'index.handler' },
        ...{ Role: { 'Fn::GetAtt': ['Role', 'Arn'] }, Environment: { Variables } },
      },
    })
    const distribution = (header: boolean) => ({
      Type: 'AWS::CloudFront::Distribution',
      Properties: {
        DistributionConfig: {
          Enabled: true,
          DefaultCacheBehavior: { TargetOriginId: 'api', ViewerProtocolPolicy: 'https-only', CachePolicyId: randomUUID() },
          Origins: [
            {
              ...{ Id: 'api', DomainName: 'api.example.com', CustomOriginConfig: { OriginProtocolPolicy: 'https-only' } },
              ...(header && { OriginCustomHeaders: [{ HeaderName: 'x-origin-key', HeaderValue: first }] }),
            },
          ],
        },
      },
    })
    stack = await makeStack({
      Resources: {
        ...{ Role: role, Api1: fn({ ORIGIN_KEY_HASH: hashOf(first), OTHER: 'stays' }), Api2: fn({ ORIGIN_KEY_HASH: hashOf(first) }) },
        ...{ Job: fn({ OTHER: 'stays' }), ApiDeliveryDistribution: distribution(true), FileDeliveryDistribution: distribution(false) },
        SecretsOriginKey: { Type: 'AWS::SecretsManager::Secret', Properties: { SecretString: first } },
        SecretsApiSecretsKey: { Type: 'AWS::SecretsManager::Secret', Properties: { SecretString: sealing } },
      },
      Outputs: { TableName: { Value: 'no-table' }, ApiSecretsKeyArn: { Value: { Ref: 'SecretsApiSecretsKey' } } },
    })
    resources = await stackResources(stack.name)
  })
  afterAll(async () => {
    await stack.remove()
    for (const client of [cloudFront, lambda]) client.destroy()
  })

  const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
  const idOf = (id: string) => resources.find((each) => each.id === id)!.physicalId
  const variables = async (id: string) =>
    (await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: idOf(id) }))).Environment?.Variables
  async function sent(): Promise<string> {
    const { DistributionConfig } = await cloudFront.send(new GetDistributionConfigCommand({ Id: idOf('ApiDeliveryDistribution') }))
    return DistributionConfig!.Origins!.Items![0]!.CustomHeaders!.Items![0]!.HeaderValue!
  }
  /** Whether the functions take what CloudFront sends. */
  async function isTrusted(key: string): Promise<boolean> {
    const headers = { 'x-origin-key': key, 'x-viewer-host': 'library.example' }
    const requestContext = { domainName: 'api.example', stage: 'v1', identity: { sourceIp: '192.0.2.1' } }
    const all = await Promise.all(['Api1', 'Api2'].map(async (id) => (await variables(id))!.ORIGIN_KEY_HASH!.split(',')))
    return all.every((originKeyHashes) => {
      const { baseUrl } = viewerOf({ headers, requestContext } as unknown as ApiEvent, { originKeyHashes })
      return baseUrl === 'https://library.example'
    })
  }
  /** What a deployment gives the functions. */
  const deployed = async () => {
    const [ApiSecretsKeyArn, OriginKeyArn] = [idOf('SecretsApiSecretsKey'), idOf('SecretsOriginKey')]
    return (await fillSecrets(secrets, { ApiSecretsKeyArn, UrlSigningKeyArn: await newSecret(newSigningKey()), OriginKeyArn }))
      .OriginKeyHash
  }
  const rotate = () => runCommand('/nonexistent', ['key', 'rotate', '--kind', 'origin', '--stack', stack.name])

  it('functions take it and the one before; CloudFront sends it; after two rotations the first is worth nothing', async () => {
    assert.ok((await isTrusted(await sent())) && (await deployed()) === hashOf(first))
    const { code, out, error } = await rotate()
    assert.equal(code, 0, error)
    const second = await sent()
    assert.deepEqual([second !== first, await textOf(idOf('SecretsOriginKey'))], [true, second])
    assert.deepEqual(await Promise.all([first, second].map(isTrusted)), [true, true])
    assert.deepEqual(await variables('Job'), { OTHER: 'stays' })
    assert.equal((await variables('Api1'))!.OTHER, 'stays')
    assert.equal(await deployed(), (await variables('Api1'))!.ORIGIN_KEY_HASH)
    assert.ok(![out, error].join('').includes(second))

    assert.equal((await rotate()).code, 0)
    assert.deepEqual(await Promise.all([first, second, await sent()].map(isTrusted)), [false, true, true])
    assert.equal(await deployed(), (await variables('Api2'))!.ORIGIN_KEY_HASH)
  })

  it('one that was interrupted is ended: at each moment the functions take what CloudFront sends', async () => {
    const before = await sent()
    const next = randomBytes(32).toString('hex')
    // The functions know it, and the secret has it, but CloudFront doesn't.
    await secrets.send(new PutSecretValueCommand({ SecretId: idOf('SecretsOriginKey'), SecretString: next }))
    const { code, error } = await rotate()
    assert.deepEqual([code, /An earlier rotation was interrupted/.test(error)], [0, true], error)
    assert.equal(await sent(), next)
    assert.deepEqual(await Promise.all([before, next].map(isTrusted)), [true, true])
  })
})
