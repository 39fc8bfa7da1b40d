import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { CloudFrontClient } from '@aws-sdk/client-cloudfront'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { namedFunctions } from '../../shared/events/consumer.ts'
import { smokeStack } from '../smoke/stack.ts'
import { eventsOf } from '../stack/tables.ts'
import { cdk, settingsOf } from './cdk.ts'
import { consumerShare, reservableRenders } from './concurrency.ts'
import { hintsFor } from './hints.ts'
import { senderWarning } from './mail-sender.ts'
import { lackingIn, regions } from './regions.ts'
import { sharedPolicies } from './shared-headers.ts'

/** `npm run deploy`, after fetch-tools.ts: bootstraps the account where needed, warns of its limits, deploys, and tests the stack. */

const args = process.argv.slice(2)
const settings = await settingsOf(args)

const lacking = await lackingIn(new CloudFormationClient({ maxAttempts: 2 }), settings).catch((error: Error) => {
  console.error(`\nCloudFormation did not tell what it can make in this region: ${error.message}\n`)
  return []
})
if (lacking.length > 0) {
  console.error(`The stack can't be made in ${process.env.AWS_REGION}, which lacks: ${lacking.join('; ')}.`)
  console.error(`Set AWS_REGION to one that has everything: ${regions.join(', ')}.`)
  process.exit(1)
}
await need('bootstrap')
const lambda = new LambdaClient({ maxAttempts: 2 })
const { concurrency, warning } = await consumerShare(lambda, namedFunctions(eventsOf(settings)), settings).catch((error: Error) => ({
  concurrency: undefined,
  warning: `Lambda did not tell how many functions may run at a time: ${error.message}`,
}))
if (warning) console.error(`\n${warning}\n`)
const senderProblem = senderWarning(settings)
if (senderProblem) console.error(`${senderProblem}\n`)
const renders = await reservableRenders(lambda, settings).catch(() => 0)
if (renders < settings.renderConcurrency) {
  const bound = renders === 0 ? 'the limit of all functions together bounds them' : `they get ${renders}`
  console.error(
    `This account can't reserve ${settings.renderConcurrency} executions for pictures of links (renderConcurrency): ${bound}.\n`,
  )
}
const policies = await sharedPolicies(new CloudFrontClient({ region: 'us-east-1', maxAttempts: 2 })).catch((error: Error) => {
  console.error(`The stack gets policies of headers of its own, of which an account has twenty: ${error.message}\n`)
  return {}
})
// A new value at each deployment makes CloudFormation run the function that restores emptied secrets.
const decided = {
  deployment: new Date().toISOString(),
  sharedPolicies: JSON.stringify(policies),
  renderConcurrency: renders,
  consumerConcurrency: Math.min(concurrency ?? Infinity, settings.consumerConcurrency ?? Infinity),
}
const added = Object.entries(decided).flatMap(([key, value]) => (value === Infinity ? [] : ['--context', `${key}=${value}`]))
await need('deploy', '--require-approval', 'never', ...args, ...added)
// Exits explicitly, because a host that never answered may keep a connection open.
process.exit((await smokeStack(settings.stackName)) ? 0 : 1)

/** Runs the CDK, and ends the program when it fails. */
async function need(...command: string[]): Promise<void> {
  const { code, output } = await cdk(...command)
  if (code === 0) return
  for (const hint of hintsFor(output)) console.error(`\n${hint}`)
  process.exit(code)
}
