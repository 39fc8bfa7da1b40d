import { setTimeout as pause } from 'node:timers/promises'
import type { CloudFormationClient, Stack } from '@aws-sdk/client-cloudformation'
import { describeStack } from '../library/stack.ts'

/** Statuses of stacks that hold nothing yet: the first deployment was interrupted, or rolled back. The CDK makes such a stack anew. */
const empty = new Set(['REVIEW_IN_PROGRESS', 'CREATE_FAILED', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'])

/**
 * Waits until CloudFormation is done with a stack, because another deployment runs, or one that was interrupted goes on there.
 * @param options.say is told once that it waits
 * @returns the stack; undefined where there is none
 * @throws Error in a sentence where the stack must be mended first
 */
export async function settledStack(
  name: string,
  { client, say, pauseMs = 10_000 }: { client?: Pick<CloudFormationClient, 'send'>; say(line: string): void; pauseMs?: number },
): Promise<Stack | undefined> {
  for (let isTold = false; ; isTold = true) {
    const stack = await describeStack(name, client)
    const status = stack?.StackStatus ?? ''
    if (!status.endsWith('_IN_PROGRESS') || empty.has(status)) {
      const problem = problems[status]
      if (problem) throw new Error(problem(name))
      return stack
    }
    if (!isTold)
      say(
        `Another deployment of the stack ${name} is running, or one that was interrupted goes on in AWS (${status}): waiting for its end …`,
      )
    await pause(pauseMs)
  }
}

/** Whether a deployment makes the stack, with nothing of a former one. */
export const isNewStack = (stack: Stack | undefined) => stack === undefined || empty.has(stack.StackStatus ?? '')

/**
 * Whether another deployment has begun since a stack was looked at: synthesizing takes minutes, and the settings may be others now.
 * @param before what `settledStack` gave
 * @returns sentences; none where the stack is as it was
 */
export async function changedMeanwhile(
  name: string,
  before: Stack | undefined,
  client?: Pick<CloudFormationClient, 'send'>,
): Promise<string[]> {
  const state = (stack: Stack | undefined) => [stack?.StackId, stack?.StackStatus, stack?.LastUpdatedTime?.getTime()].join(' ')
  if (state(await describeStack(name, client)) === state(before)) return []
  return [`Another deployment of the stack ${name} has begun meanwhile. Nothing was changed here: run \`npm run deploy\` again.`]
}

const problems: Readonly<Record<string, (name: string) => string>> = {
  UPDATE_ROLLBACK_FAILED: (name) =>
    [
      `The last update of the stack ${name} failed, and so did its way back: CloudFormation takes no other before that is done.`,
      'Look at the events of the stack in the console of CloudFormation for what failed, remove the cause, and have it tried again:',
      `  aws cloudformation continue-update-rollback --stack-name ${name} --region ${process.env.AWS_REGION}`,
      'Then run `npm run deploy` again.',
    ].join('\n'),
  DELETE_FAILED: (name) =>
    `The stack ${name} was to be removed, and that failed halfway. Run \`npm run destroy -- -c stackName=${name}\` again, then \`npm run deploy\`.`,
}
