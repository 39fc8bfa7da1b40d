import { requireConfirmation } from '../admin/confirmation.ts'
import { outputsOf } from '../admin/stack.ts'
import { terminal } from '../admin/terminal.ts'
import { cdk, settingsOf } from './cdk.ts'
import { filesAtStake } from './files-at-stake.ts'

/** `npm run destroy`: asks for the stack's name where files go with it, unless `--yes` is given. Other arguments are the CDK's. */

const args = process.argv.slice(2).filter((arg) => arg !== '--yes')
try {
  const { stackName } = await settingsOf(args)
  if (!process.argv.includes('--yes') && (await filesAtStake(await outputsOf(stackName))))
    await requireConfirmation(terminal, stackName, `The stack ${stackName} holds files. They and all records go with it.`)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
const { code } = await cdk('destroy', '--force', ...args)
process.exit(code)
