import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import { Assembly } from '../support/aws/stack-assembly.ts'
import { CommandLine } from '../support/aws/stack-command.ts'
import { stateOf } from '../support/aws/stack-outputs.ts'

export const { folder, before } = inject('rehearsal')!
export const stack = process.env.SERVICE_STACK!
export const cdk = new CommandLine(process.env)

/** The assembly that was deployed. */
export const deployed = new Assembly(`${folder}/${stack}`, stack)

/** Of an update that fails. */
export const NO_BUCKET = 'a-bucket-that-is-not-there'

/** Waits until CloudFormation does no more with a stack. @returns its status */
export async function settled(name: string): Promise<string> {
  for (let seconds = 0; seconds < 120; seconds++) {
    const { status } = await stateOf(name)
    if (!status.endsWith('_IN_PROGRESS')) return status
    await pause(1_000)
  }
  throw new Error(`CloudFormation is still at ${name}`)
}
