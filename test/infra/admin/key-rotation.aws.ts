import assert from 'node:assert/strict'
import { createHash, createPublicKey, randomUUID } from 'node:crypto'
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
import { DeleteParameterCommand, GetParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest'
import { fillKeys, keepPublicHalf, newOriginKey, publicHalfOf, type WantedKeys } from '../../../infra/aws/custom-resources/make-secrets.ts'
import { parameterKeyStore } from '../../../infra/aws/library/parameter-key-store.ts'
import { type StackResource, stackIdOf, stackResources } from '../../../infra/aws/library/stack-resources.ts'
import { removeRotatedKeys, stackUrlKeyWork } from '../../../infra/aws/library/stack-url-key.ts'
import { type KeyParameter, keyParameterArn } from '../../../infra/homes/key-parameters.ts'
import { rotateKey } from '../../../infra/homes/rotate-key.ts'
import { secretsKeyWork } from '../../../infra/homes/secrets-key.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { cloudFrontUrls } from '../../../shared/backends/edge/cloudfront.ts'
import { verifySignedUrl } from '../../../shared/backends/edge/signed-url.ts'
import { cloudFrontClient } from '../../../shared/backends/edge-cache/cloudfront.ts'
import { KNOWN_MS } from '../../../shared/backends/secrets/known-values.ts'
import { parameterKeys, parameterName } from '../../../shared/backends/secrets/parameters.ts'
import { KeyReplaced } from '../../../shared/backends/secrets/port.ts'
import { newSealingKey } from '../../../shared/backends/secrets/sealing-key.ts'
import { newSigningKey, readSigningKey } from '../../../shared/backends/secrets/signing-key.ts'
import { dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import type { ApiEvent } from '../../../shared/http/protocol/exchange.ts'
import { viewerOf } from '../../../shared/http/protocol/viewer.ts'
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

const ssm = new SSMClient()
const made = new Set<string>()
afterAll(async () => {
  for (const Name of made) await ssm.send(new DeleteParameterCommand({ Name })).catch(() => undefined)
  ssm.destroy()
})

async function put(arn: string, Value: string): Promise<string> {
  const Name = parameterName(arn)
  await ssm.send(new PutParameterCommand({ Name, Value, Type: 'SecureString', Overwrite: true }))
  made.add(Name)
  return arn
}
const newStackId = () => `arn:aws:cloudformation:us-east-1:000000000000:stack/library/${randomUUID()}`
function keysOf(stackId: string): WantedKeys {
  const arn = (key: KeyParameter) => keyParameterArn(stackId, key)
  const others = { UrlSigningKeyArn: arn('urlSigningKey'), OriginKeyArn: arn('originKey'), UrlPublicKeyArn: arn('urlPublicKey') }
  for (const each of [arn('apiSecretsKey'), ...Object.values(others)]) made.add(parameterName(each))
  return { ApiSecretsKeyArn: arn('apiSecretsKey'), ApiSecretsKey: 'own', ...others }
}
const newParameter = (value: string) => put(keyParameterArn(newStackId(), 'apiSecretsKey'), value)
const textOf = async (Name: string) => (await ssm.send(new GetParameterCommand({ Name, WithDecryption: true }))).Parameter!.Value!

describe('keys of a stack that rotate', () => {
  const dynamo = patientClient()
  let temporary: Awaited<ReturnType<typeof makeTemporaryTable>>
  beforeEach(async () => {
    temporary = await makeTemporaryTable(dynamo)
  })
  afterEach(() => temporary.remove())
  afterAll(() => dynamo.destroy())
  const tableOf = () => dynamoTable({ tableName: temporary.tableName, client: dynamo })
  const storeOf = (arn: string) => parameterKeyStore({ arn, client: ssm, table: tableOf() })

  it('functions that read the key at any time open what others have sealed, and at last it is all sealed with the new key', async () => {
    const [first, table] = [newSealingKey(), dynamoTable({ tableName: temporary.tableName, client: dynamo })]
    const arn = await newParameter(first)
    // Each has read the key at another time, and goes on with it for five minutes.
    const processes = () =>
      Array.from({ length: 3 }, () => parameterKeys({ arns: { apiSecretsKey: arn }, client: ssm, clock: surroundings.clock }))
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
    const arn = await newParameter(first)
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
    const store = storeOf(await newParameter(newSealingKey()))
    const read = await store.read()
    const values = [newSealingKey(), newSealingKey()].map((current) => ({ current, previous: read.values.current, since: 1 }))
    const [won] = values
    await store.replace(read, won!)
    await assert.rejects(store.replace(read, values[1]!), KeyReplaced)
    assert.deepEqual((await store.read()).values, won)
  })

  it('of many that replace a key at the same moment exactly one does, time and again', async () => {
    const arn = await newParameter(newSealingKey())
    for (let time = 1; time <= 10; time++) {
      const read = await storeOf(arn).read()
      const values = Array.from({ length: 8 }, () => ({ current: newSealingKey(), previous: read.values.current, since: time }))
      const ended = await Promise.allSettled(values.map((each) => storeOf(arn).replace(read, each)))
      const won = values.filter((_, n) => ended[n]!.status === 'fulfilled')
      assert.deepEqual([won.length, (await storeOf(arn).read()).values], [1, won[0]])
      for (const each of ended) if (each.status === 'rejected') assert.ok(each.reason instanceof KeyReplaced, String(each.reason))
    }
  })

  it('whoever reads what was there before a write is refused, although Systems Manager tells it late', async () => {
    const arn = await newParameter(newSealingKey())
    const read = await storeOf(arn).read()
    const won = await storeOf(arn).replace(read, { current: newSealingKey(), since: 1 })
    const behind = { send: async () => ({ Parameter: { Value: JSON.stringify(read.values), Version: Number(read.version) } }) }
    const late = parameterKeyStore({ arn, client: behind as unknown as SSMClient, table: tableOf() })
    await assert.rejects(late.replace(read, { current: newSealingKey() }), KeyReplaced)
    assert.deepEqual(await storeOf(arn).read(), won)
  })

  it('while a write is on its way, of which nobody knows how it ended, nobody else writes', async () => {
    const arn = await newParameter(newSealingKey())
    const read = await storeOf(arn).read()
    const timeOut = () => Promise.reject(new Error('time-out'))
    const lost = { send: (command: GetParameterCommand) => (command instanceof GetParameterCommand ? ssm.send(command) : timeOut()) }
    const broken = parameterKeyStore({ arn, client: lost as unknown as SSMClient, table: tableOf() })
    await assert.rejects(broken.replace(read, { current: newSealingKey() }), /time-out/)
    await assert.rejects(storeOf(arn).replace(read, { current: newSealingKey() }), KeyReplaced)
  })
})

describe('the key of a stack that signs URLs', () => {
  const cloudFront = cloudFrontClient()
  const dynamo = patientClient()
  const keys = keysOf(newStackId())
  const arn = keys.UrlSigningKeyArn
  let temporary: Awaited<ReturnType<typeof makeTemporaryTable>>
  let group: string
  let firstId: string
  const name = `library-Delivery-UrlKeysName-${randomUUID()}-eu-west-1`.slice(0, 64)
  beforeAll(async () => {
    const first = newSigningKey()
    await put(arn, first)
    temporary = await makeTemporaryTable(dynamo)
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
    await temporary.remove()
    for (const client of [cloudFront, dynamo]) client.destroy()
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
  const store = () => parameterKeyStore({ arn, client: ssm, table: dynamoTable({ tableName: temporary.tableName, client: dynamo }) })
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
    await keepPublicHalf(ssm, keys)
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
  const urlsOf = (clock?: Parameters<typeof parameterKeys>[0]['clock']) =>
    cloudFrontUrls({
      baseUrl: 'https://files.example',
      keyPairId: firstId,
      secrets: parameterKeys({ arns: { urlSigningKey: arn }, client: ssm, ...(clock && { clock }) }),
    })

  /** What a deployment reads of the key. */
  const fillUrlKey = async () => (await fillKeys(ssm, keys)).UrlPublicKey
})

describe('the key by which CloudFront proves itself to a stack', () => {
  const cloudFront = cloudFrontClient()
  const lambda = new LambdaClient()
  const dynamo = patientClient()
  const first = newOriginKey()
  let temporary: Awaited<ReturnType<typeof makeTemporaryTable>>
  let keys: WantedKeys
  let stack: TemporaryStack
  let resources: StackResource[]
  beforeAll(async () => {
    temporary = await makeTemporaryTable(dynamo)
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
      },
      Outputs: { TableName: { Value: temporary.tableName }, ApiSecretsKeyArn: { Value: 'arn:aws:ssm:of-no-use-here' } },
    })
    keys = keysOf(await stackIdOf(stack.name))
    await put(keys.OriginKeyArn, first)
    resources = await stackResources(stack.name)
  })
  afterAll(async () => {
    await stack.remove()
    await temporary.remove()
    for (const client of [cloudFront, lambda, dynamo]) client.destroy()
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
  async function values() {
    const { current, previous } = JSON.parse(await textOf(keys.OriginKeyArn))
    return { current, previous }
  }
  /** What a deployment gives the functions. */
  const deployed = async () => (await fillKeys(ssm, keys)).OriginKeyHash
  const rotate = () => runCommand('/nonexistent', ['key', 'rotate', '--kind', 'origin', '--stack', stack.name])

  it('functions take it and the one before; CloudFront sends it; after two rotations the first is worth nothing', async () => {
    assert.ok((await isTrusted(await sent())) && (await deployed()) === hashOf(first))
    const { code, out, error } = await rotate()
    assert.equal(code, 0, error)
    const second = await sent()
    assert.deepEqual([second !== first, await values()], [true, { current: second, previous: first }])
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
    const next = newOriginKey()
    // The functions know it, and the secret has it, but CloudFront doesn't.
    await put(keys.OriginKeyArn, JSON.stringify({ current: next, previous: before }))
    const { code, error } = await rotate()
    assert.deepEqual([code, /An earlier rotation was interrupted/.test(error)], [0, true], error)
    assert.equal(await sent(), next)
    assert.deepEqual(await Promise.all([before, next].map(isTrusted)), [true, true])
  })
})
