import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { requireConfirmation } from '../../homes/confirmation.ts'
import { terminal } from '../../homes/terminal.ts'
import { outputsOf } from '../library/stack.ts'
import { describePlace, findPlace } from '../place.ts'
import { argumentsOf, cdk } from './cdk.ts'
import { filesAtStake } from './files-at-stake.ts'
import { helpWhereAsked } from './help.ts'
import { protectionOf } from './protection.ts'
import { rotatedKeysOf } from './rotated-keys.ts'

/** `npm run destroy`: asks for the stack's name where files go with it, unless `--yes` is given. Other arguments are the CDK's. */

helpWhereAsked(
  process.argv,
  `usage: npm run destroy -- [options]

Removes the stack.

  --yes                    asks nothing
  -a, --app FOLDER         takes the stack that was synthesized into a folder`,
)
let removeRotatedKeys = async () => {}
const args = process.argv.slice(2).filter((arg) => arg !== '--yes')
try {
  const { stackName, profile } = argumentsOf(args, { name: 'npm run destroy', options: { app: { type: 'string', short: 'a' } } })
  const place = describePlace(await findPlace(profile))
  const protection = await protectionOf(new CloudFormationClient(), stackName)
  if (protection) throw new Error(protection)
  const outputs = await outputsOf(stackName)
  console.error(`Removing the stack ${stackName} in ${place}: takes about a quarter of an hour.`)
  if (!process.argv.includes('--yes') && (await filesAtStake(outputs)))
    await requireConfirmation(terminal, stackName, `The stack ${stackName} holds files. They and all records go with it.`)
  removeRotatedKeys = await rotatedKeysOf(stackName)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
const { code } = await cdk('destroy', '--force', ...args)
if (code === 0) {
  await removeRotatedKeys().catch((error: Error) => console.error(`Public keys of the stack may be left at CloudFront: ${error.message}`))
}
process.exit(code)
