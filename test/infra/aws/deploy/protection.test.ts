import assert from 'node:assert/strict'
import { CloudFormationClient, type Stack, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation'
import { describe, test } from 'vitest'
import { bootstrapOf } from '../../../../infra/aws/deploy/bootstrap.ts'
import { protect, protectionOf } from '../../../../infra/aws/deploy/protection.ts'

/** An account with these stacks. */
function account(...stacks: Partial<Stack>[]) {
  const sent: object[] = []
  const client = Object.assign(new CloudFormationClient({ region: 'eu-west-1' }), {
    async send(command: { input: { StackName?: string } }) {
      const { input } = command
      sent.push(input)
      if (command instanceof UpdateTerminationProtectionCommand) return {}
      const Stacks = stacks.filter(({ StackName }) => input.StackName === undefined || StackName === input.StackName)
      if (Stacks.length === 0 && input.StackName) {
        throw Object.assign(new Error(`Stack with id ${input.StackName} does not exist`), { name: 'ValidationError' })
      }
      return { Stacks }
    },
  })
  return { client, sent }
}

describe('the protection of a stack that retains its data', () => {
  test('begins', async () => {
    const { client, sent } = account()
    await protect(client, 'library')
    assert.deepEqual(sent, [{ StackName: 'library', EnableTerminationProtection: true }])
  })

  test('is told before it is destroyed, with what ends it', async () => {
    const stack = { StackName: 'library', EnableTerminationProtection: true }
    assert.match((await protectionOf(account(stack).client, 'library')) ?? '', /protected.*\n.*\n {2}aws cloudformation update-termination/)
    assert.equal(await protectionOf(account({ ...stack, EnableTerminationProtection: false }).client, 'library'), undefined)
    assert.equal(await protectionOf(account().client, 'library'), undefined)
  })
})

describe('the bootstrap of a qualifier', () => {
  const bootstrap = (qualifier: string) => ({
    StackName: 'platform-bootstrap',
    Parameters: [{ ParameterKey: 'Qualifier', ParameterValue: qualifier }],
    Outputs: [{ OutputKey: 'BootstrapVersion', OutputValue: '25' }],
  })

  test('is left as it is where the account has it, under any name', async () => {
    assert.equal(await bootstrapOf(account({ StackName: 'other' }, bootstrap('media')).client, 'media'), undefined)
  })

  test('is made beside others, under a name of its own', async () => {
    const made = await bootstrapOf(account(bootstrap('hnb659fds')).client, 'media')
    assert.deepEqual(made, ['bootstrap', '--qualifier', 'media', '--toolkit-stack-name', 'CDKToolkit-media'])
  })

  test('is the default one where no qualifier is set', async () => {
    assert.deepEqual(await bootstrapOf(account().client, undefined), ['bootstrap'])
  })
})
