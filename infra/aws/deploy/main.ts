import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { CloudFrontClient } from '@aws-sdk/client-cloudfront'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { namedFunctions } from '../../../shared/runtime/consumer.ts'
import { smokeStack } from '../smoke/stack.ts'
import { eventsOf } from '../stack/tables.ts'
import { checkAccount } from './account-checks.ts'
import { afterwards } from './afterwards.ts'
import { bootstrapOf } from './bootstrap.ts'
import { cdk, deploymentOf } from './cdk.ts'
import { consumerShare, reservableRenders } from './concurrency.ts'
import { whatItCosts } from './dry-run.ts'
import { helpWhereAsked } from './help.ts'
import { hintsFor } from './hints.ts'
import { leftoversOf } from './leftovers.ts'
import { prepare } from './prepare.ts'
import { protect } from './protection.ts'
import { isTerminal, requireYes } from './questions.ts'
import { roleRefusals } from './role-room.ts'
import { changedMeanwhile } from './settled-stack.ts'
import { sharedPolicies } from './shared-headers.ts'
import { templateSizes } from './template-limits.ts'
import { writtenTemplates } from './written-templates.ts'

/**
 * `npm run deploy`: says where it works and with which settings, asks the account for what would fail later, fetches tools, synthesizes the stack,
 * bootstraps the account where needed, deploys what was synthesized, tests it, and says what comes next. With `--dry-run` it makes nothing, and says
 * how large the template is, what would change and what the stack costs. `--yes` makes a new stack without a question, `--accept-changes` takes
 * changes of settings that move data or addresses.
 */

helpWhereAsked(
  process.argv,
  `usage: npm run deploy -- [options]

Makes or updates the stack in the account and region of the credentials in the environment, and tests it.

  --dry-run                makes nothing: says what would change and what the stack costs
  --yes                    makes a new stack without a question
  --accept-changes         takes changes of settings that move data or addresses`,
)
const { settings, context, place, stack, isNew, isDryRun, args, folder } = await prepare(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
const { stackName } = settings

const { refusals, warnings } = await checkAccount(settings, isNew)
for (const warning of warnings) console.error(`${warning}\n`)
endWith(refusals)
await import('./fetch-tools.ts')
const lambda = new LambdaClient({ maxAttempts: 2 })
const { concurrency, warning, isTight } = await consumerShare(lambda, namedFunctions(eventsOf(settings)), settings).catch(
  (error: Error) => ({
    concurrency: undefined,
    isTight: false,
    warning: `Lambda did not tell how many functions may run at a time: ${error.message}`,
  }),
)
if (warning) console.error(`\n${warning}\n`)
if (isTight && !isDryRun && isTerminal()) await requireYes('Go on with so few?').catch((error: Error) => endWith([error.message]))
const renders = await reservableRenders(lambda, settings).catch(() => 0)
if (renders < settings.renderConcurrency) {
  const bound = renders === 0 ? 'the limit of all functions together bounds them' : `they get ${renders}`
  console.error(
    `This account can't reserve ${settings.renderConcurrency} executions for pictures of links (renderConcurrency): ${bound}.\n`,
  )
}
const policies = await sharedPolicies(new CloudFrontClient({ region: 'us-east-1', maxAttempts: 2 }), isDryRun).catch((error: Error) => {
  console.error(`The stack gets policies of headers of its own, of which an account has twenty: ${error.message}\n`)
  return {}
})
const cloudFormation = new CloudFormationClient({ maxAttempts: 2 })
// A new value at each deployment makes CloudFormation run the function that makes keys which lack.
const decided = {
  deployment: new Date().toISOString(),
  sharedPolicies: JSON.stringify(policies),
  isNew,
  renderConcurrency: renders,
  consumerConcurrency: Math.min(concurrency ?? Infinity, settings.consumerConcurrency ?? Infinity),
}
const added = Object.entries(decided).flatMap(([key, value]) => (value === Infinity ? [] : ['--context', `${key}=${value}`]))
await need('synth', '--quiet', ...args, ...context, ...added)
const sizes = templateSizes(folder, stackName)
for (const line of sizes.lines) console.log(line)
endWith([...sizes.refusals, ...(await roleRefusals(folder, stackName))])
if (isDryRun) {
  await need('diff', stackName, '--method', 'template', '--app', folder, ...args)
  console.log(`\n${whatItCosts(writtenTemplates(folder, stackName))}`)
  process.exit()
}
const bootstrap = await bootstrapOf(cloudFormation, settings.qualifier)
if (bootstrap) await need(...bootstrap, '--app', folder)
endWith(await changedMeanwhile(stackName, stack))
await need(...deploymentOf(folder), ...args)
if (settings.retain) await protect(cloudFormation, stackName)
const isWell = await smokeStack(stackName)
for (const line of await afterwards(settings, place)) console.log(`\n${line}`)
// Exits explicitly, because a host that never answered may keep a connection open.
process.exit(isWell ? 0 : 1)

/** Ends the program where there are refusals. */
function endWith(refusals: readonly string[]): void {
  for (const refusal of refusals) console.error(`${refusal}\n`)
  if (refusals.length > 0) process.exit(1)
}

/** Runs the CDK, and ends the program when it fails. */
async function need(...command: string[]): Promise<void> {
  const { code, output } = await cdk(...command)
  if (code === 0) return
  for (const hint of hintsFor(output)) console.error(`\n${hint}`)
  if (isNew) for (const line of await leftoversOf(stackName).catch(() => [])) console.error(line)
  process.exit(code)
}
