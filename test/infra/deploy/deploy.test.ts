import assert from 'node:assert/strict'
import { GetFunctionConcurrencyCommand, type LambdaClient, ResourceNotFoundException } from '@aws-sdk/client-lambda'
import { describe, test } from 'vitest'
import { readArguments } from '../../../infra/deploy/arguments.ts'
import { concurrencyWarning, reservableRenders } from '../../../infra/deploy/concurrency.ts'
import { echoed } from '../../../infra/deploy/echoed-command.ts'
import { hintsFor } from '../../../infra/deploy/hints.ts'

describe('deploying', () => {
  const lambda = (send: (command: unknown) => Promise<object>) => ({ send }) as unknown as LambdaClient
  /** An account that runs so many functions at a time. */
  const account = (most: number | undefined) => lambda(async () => ({ AccountLimit: { ConcurrentExecutions: most } }))

  test('warns of an account that runs few functions at a time, with the command that raises it', async () => {
    const warning = (await concurrencyWarning(account(10), { importConcurrency: 5 })) ?? ''
    assert.match(warning, /at most 10 functions .* take 5 of them/)
    assert.match(warning, /files are removed/)
    assert.match(warning, /^ {2}aws service-quotas request-service-quota-increase .*--quota-code L-B99A9384/m)
    assert.equal(await concurrencyWarning(account(1000), { importConcurrency: 5 }), undefined)
    assert.match((await concurrencyWarning(account(1000), { importConcurrency: 990 })) ?? '', /at most 1000/)
    assert.equal(await concurrencyWarning(account(undefined), { importConcurrency: 5 }), undefined)
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
    assert.equal(await reserved(1000, undefined, 50), 50)
    assert.equal(await reserved(10, undefined, 50), 0)
    assert.equal(await reserved(130, undefined, 50), 30)
    assert.equal(await reserved(100, 50, 50), 50)
    assert.equal(await reserved(undefined, undefined, 50), 0)
    assert.equal(await reserved(1000, 50, 0), 0)
  })

  test('says what to do where CloudFront has not verified the account, however the message is broken into lines', () => {
    const message = `CREATE_FAILED | AWS::CloudFront::Distribution | Resource handler returned message: "Access denied for operation
      'AWS::CloudFront::Distribution: Your account must be verified before you can add new
      CloudFront resources. To verify your account, please contact AWS Support and include this error message."`
    const [hint] = hintsFor(message)
    assert.match(hint ?? '', /has not verified this account for CloudFront/)
    assert.deepEqual(hintsFor('CREATE_FAILED | AWS::Lambda::Function | Access denied'), [])
  })

  test('knows the settings that the command line changes, and leaves everything else to the CDK', () => {
    const args = ['-c', 'stackName=second', '--context', 'alarmEmail=a@example.com', '--profile', 'work', '--no-rollback', '-v']
    const { settings, profile } = readArguments(args, { stackName: 'first', importConcurrency: 7 })
    assert.deepEqual([settings.stackName, settings.alarmEmail, settings.importConcurrency], ['second', 'a@example.com', 7])
    assert.equal(profile, 'work')
  })

  test('keeps what a program writes, and its exit code', async () => {
    const script = 'console.log("told"); console.error("warned"); process.exitCode = 3'
    const { code, output } = await echoed(process.execPath, ['-e', script])
    assert.equal(code, 3)
    assert.deepEqual(output.trim().split('\n').sort(), ['told', 'warned'])
  })
})
