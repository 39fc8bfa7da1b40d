import { setTimeout as pause } from 'node:timers/promises'
import { Assembly } from '../support/aws/stack-assembly.ts'
import { CommandLine } from '../support/aws/stack-command.ts'
import { stateOf } from '../support/aws/stack-outputs.ts'

const { REHEARSAL_FOLDER, REHEARSAL_BEFORE, SERVICE_EMULATOR, SERVICE_STACK } = process.env
if (!REHEARSAL_FOLDER || !REHEARSAL_BEFORE || !SERVICE_EMULATOR || !SERVICE_STACK) throw new Error('npm run rehearse runs this')

/** A temporary folder. */
export const folder = REHEARSAL_FOLDER
/** Port of the emulator. */
export const port = Number(new URL(SERVICE_EMULATOR).port)
export const stack = SERVICE_STACK
/** What was in the account before anything was deployed, as `inventory()` lists it. */
export const before = JSON.parse(REHEARSAL_BEFORE) as string[]
export const cdk = new CommandLine(process.env)

/** The assembly that was deployed. */
export const deployed = () => Assembly.open(`${folder}/${stack}`, stack)

/** Waits until CloudFormation does no more with a stack. @returns its status */
export async function settled(name: string): Promise<string> {
  for (let seconds = 0; seconds < 120; seconds++) {
    const { status } = await stateOf(name)
    if (!status.endsWith('_IN_PROGRESS')) return status
    await pause(1_000)
  }
  throw new Error(`CloudFormation is still at ${name}`)
}
