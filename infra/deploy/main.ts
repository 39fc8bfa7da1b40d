import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { smokeStack } from '../smoke/stack.ts'
import { readArguments } from './arguments.ts'
import { concurrencyWarning } from './concurrency.ts'
import { echoed } from './echoed-command.ts'
import { hintsFor } from './hints.ts'

/** `npm run deploy`, once the tools are there: looks at the account, bootstraps it where needed, deploys, and tries the stack out. */

const projectRoot = join(import.meta.dirname, '../..')
const args = process.argv.slice(2)
const { context } = JSON.parse(readFileSync(join(projectRoot, 'cdk.json'), 'utf8')) as { context: Record<string, unknown> }
const { settings, profile } = readArguments(args, context)
if (profile) process.env.AWS_PROFILE = profile
// What the CDK takes where nothing names a region, and a variable that the SDK doesn't read.
process.env.AWS_REGION ??= process.env.AWS_DEFAULT_REGION ?? (await new LambdaClient().config.region().catch(() => 'us-east-1'))

await cdk('bootstrap')
const warning = await concurrencyWarning(new LambdaClient({ maxAttempts: 2 }), settings).catch(
  (error: Error) => `Lambda did not tell how many functions may run at a time: ${error.message}`,
)
if (warning) console.error(`\n${warning}\n`)
// Each deployment looks after the secrets again.
await cdk('deploy', '--require-approval', 'never', '--context', `deployment=${new Date().toISOString()}`, ...args)
// A host that never answered may keep a connection open.
process.exit((await smokeStack(settings.stackName)) ? 0 : 1)

/** Ends the program when the CDK fails. */
async function cdk(...command: string[]): Promise<void> {
  const { code, output } = await echoed(process.execPath, [join(projectRoot, 'node_modules/aws-cdk/bin/cdk'), ...command])
  if (code === 0) return
  for (const hint of hintsFor(output)) console.error(`\n${hint}`)
  process.exit(code)
}
