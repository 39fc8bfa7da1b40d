import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type CloudFormationClient, type DescribeTypeCommand, TypeNotFoundException } from '@aws-sdk/client-cloudformation'
import { GetFunctionConcurrencyCommand, type LambdaClient, ResourceNotFoundException } from '@aws-sdk/client-lambda'
import { describe, test } from 'vitest'
import { events } from '../../../../functions/events.ts'
import { readArguments } from '../../../../infra/aws/deploy/arguments.ts'
import { consumerShare, reservableRenders } from '../../../../infra/aws/deploy/concurrency.ts'
import { hintsFor } from '../../../../infra/aws/deploy/hints.ts'
import { lackingIn, regions } from '../../../../infra/aws/deploy/regions.ts'
import { executionsOf } from '../../../../infra/aws/stack/concurrency.ts'
import { namedFunctions } from '../../../../shared/runtime/consumer.ts'

describe('deploying', () => {
  const lambda = (send: (command: unknown) => Promise<object>) => ({ send }) as unknown as LambdaClient
  /** An account that runs so many functions at a time. */
  const account = (most: number | undefined) => lambda(async () => ({ AccountLimit: { ConcurrentExecutions: most } }))

  const share = (most: number | undefined, importConcurrency = 5) =>
    consumerShare(account(most), namedFunctions(events), { importConcurrency })
  const taken = (most: number) =>
    executionsOf(namedFunctions(events), { importConcurrency: 5, consumerConcurrency: most }).reduce((sum, each) => sum + each, 0)

  test('leaves consumers what they declare where the account has room for them and for requests', async () => {
    for (const most of [1000, taken(Infinity) + 50, undefined])
      assert.deepEqual(await share(most), { concurrency: undefined, warning: undefined, isTight: false })
  })

  test('lowers the maxima of all consumers together where requests would find no execution free', async () => {
    const all = taken(Infinity)
    for (const most of [Math.min(all + 49, 2 * all - 1), 70, 60]) {
      const { concurrency, warning, isTight } = await share(most)
      assert.equal(isTight, false)
      const room = Math.max(most - 50, most / 2)
      assert.ok(concurrency !== undefined && taken(concurrency) <= room && taken(concurrency + 1) > room, `${concurrency} of ${most}`)
      assert.match(
        warning ?? '',
        new RegExp(
          `at most ${most} functions [^]*take\\s+${taken(Infinity)} of [^]* together ${taken(concurrency)}, [^]* ${most - taken(concurrency)} to requests`,
        ),
      )
    }
    assert.ok((await share(1000, 990)).concurrency! < 990)
  })

  test('gives each consumer the least in a new account, and prints the command that raises its limit', async () => {
    const { concurrency, warning, isTight } = await share(10)
    assert.deepEqual([concurrency, isTight], [1, true])
    assert.ok(taken(1) < 10, 'requests find one free while all others are busy')
    const followers = namedFunctions(events).filter(({ trigger }) => 'events' in trigger || 'batchesOf' in trigger).length
    assert.equal(taken(1), followers + 5)
    assert.match(warning ?? '', /^ {2}aws service-quotas request-service-quota-increase .*--quota-code L-B99A9384/m)
  })

  test('reserves executions for pictures of links as far as the account allows', async () => {
    const reserved = async (free: number | undefined, own: number | undefined, renderConcurrency: number) => {
      const client = lambda(async (command) => {
        if (!(command instanceof GetFunctionConcurrencyCommand)) return { AccountLimit: { UnreservedConcurrentExecutions: free } }
        assert.equal(command.input.FunctionName, 'library-render-image')
        if (own === undefined) throw new ResourceNotFoundException({ message: 'Function not found', $metadata: {} })
        return { ReservedConcurrentExecutions: own }
      })
      return reservableRenders(client, { stackName: 'library', renderConcurrency })
    }
    const asked = [reserved(1000, undefined, 50), reserved(10, undefined, 50), reserved(130, undefined, 50), reserved(100, 50, 50)]
    assert.deepEqual(await Promise.all(asked), [50, 0, 30, 50])
    assert.deepEqual(await Promise.all([reserved(undefined, undefined, 50), reserved(1000, 50, 0)]), [0, 0])
  })

  test('asks what a region lacks before anything is made', async () => {
    const region = (...missing: string[]) =>
      ({
        async send({ input }: DescribeTypeCommand) {
          assert.equal(input.Type, 'RESOURCE')
          if (missing.includes(input.TypeName!)) throw new TypeNotFoundException({ message: 'not found', $metadata: {} })
          return {}
        },
      }) as unknown as CloudFormationClient
    assert.deepEqual(await lackingIn(region(), { searchEngine: 'opensearch' }), [])
    const milan = region('AWS::MediaConvert::Queue', 'AWS::OpenSearchServerless::CollectionGroup')
    assert.match((await lackingIn(milan, { searchEngine: 'embedded' })).join('; '), /^MediaConvert[^;]*$/)
    assert.match((await lackingIn(milan, { searchEngine: 'opensearch' })).join('; '), /MediaConvert.*; OpenSearch/)
    const denied = { send: () => Promise.reject(new Error('AccessDenied')) } as unknown as CloudFormationClient
    await assert.rejects(lackingIn(denied, { searchEngine: 'embedded' }), /AccessDenied/)
  })

  test('promises in the manual the regions that are tried', async () => {
    const manual = (await readFile('infra/guides/deploy.md', 'utf8')).replaceAll(/\s+/g, ' ')
    assert.ok(manual.includes(`${regions.slice(0, -1).join(', ')} and ${regions.at(-1)}`))
  })

  test('says what to do where CloudFront has not verified the account, however the message is broken into lines', () => {
    const message = `CREATE_FAILED | AWS::CloudFront::Distribution | Resource handler returned message: "Access denied for operation
      'AWS::CloudFront::Distribution: Your account must be verified before you can add new
      CloudFront resources. To verify your account, please contact AWS Support and include this error message."`
    const [hint] = hintsFor(message)
    assert.match(hint ?? '', /has not verified this account for CloudFront/)
    assert.deepEqual(hintsFor('CREATE_FAILED | AWS::Lambda::Function | Access denied'), [])
  })

  const command = { name: 'npm run deploy', options: { yes: { type: 'boolean' } } } as const

  test('knows what the command line and cdk.json give, and takes the options of the CDK that are its', () => {
    const args =
      '-c stackName=second --context alarmEmail=a@example.com -c apiDomain= --profile work -o elsewhere --no-rollback -vv --yes'.split(' ')
    const cdk = { context: { stackName: 'first', importConcurrency: 7, retain: false, brand: 'SVC' }, output: 'cdk.out' }
    assert.deepEqual(readArguments(args, cdk, command), {
      stackName: 'second',
      given: { importConcurrency: '7', alarmEmail: 'a@example.com', apiDomain: '' },
      profile: 'work',
      output: 'elsewhere',
    })
    assert.deepEqual(readArguments([], cdk, command), {
      stackName: 'first',
      given: { importConcurrency: '7' },
      profile: undefined,
      output: 'cdk.out',
    })
  })

  test('refuses what is no setting, in a sentence that names the one that was meant', () => {
    const read = (...args: string[]) => readArguments(args, { context: {}, output: 'cdk.out' }, command)
    assert.throws(() => read('-c', 'retian=true'), /^Error: retian is no setting\. There is retain\. infra\/README\.md lists them\.$/)
    assert.throws(() => read('-c', 'retain', '-c', 'domain=x'), /-c retain has no value.*domain is no setting/s)
    for (const wrong of [['--retain'], ['--profile'], ['production'], ['-x'], ['--yes=no']])
      assert.throws(() => read(...wrong), /^Error: [^.]*'[^.]+\. npm run deploy -- --help lists the options\.$/, wrong.join())
    assert.throws(() => read('-c', 'stackName=2nd'), /stackName: a letter, then/)
    assert.deepEqual(read('-c', '@aws-cdk/core:newStyle=true', '-c', 'aws-cdk:enableDiffNoFail=true').stackName, 'media-library')
  })
})
