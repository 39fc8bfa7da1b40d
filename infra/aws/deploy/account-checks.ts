import { ACMClient } from '@aws-sdk/client-acm'
import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { CloudFrontClient } from '@aws-sdk/client-cloudfront'
import { Route53Client } from '@aws-sdk/client-route-53'
import { SESv2Client } from '@aws-sdk/client-sesv2'
import { lackOfKeywords } from '../../../shared/backends/keywords/regions.ts'
import { stackResources } from '../library/stack-resources.ts'
import type { DeploymentSettings } from '../stack/settings.ts'
import { certificateProblem } from './certificate.ts'
import { zoneProblems } from './hosted-zone.ts'
import { senderWarnings } from './mail-sender.ts'
import { policyProblem } from './policy-room.ts'
import { lackingIn, regions } from './regions.ts'

/** The result of an account's checks before anything is made in it. */
export interface AccountChecks {
  /** Why the stack can't be made, in sentences. */
  refusals: string[]
  /** Missing parts, and failed checks. */
  warnings: string[]
}

/** Clients of CloudFront, ACM and Route 53, whose resources are in us-east-1. */
const GLOBAL = { region: 'us-east-1', maxAttempts: 2 }

/**
 * Asks the account for everything that would fail a deployment later. All answers come together. A question that may not be asked is a warning.
 * @param isNew whether the stack is made
 */
export async function checkAccount(settings: DeploymentSettings, isNew: boolean): Promise<AccountChecks> {
  const cloudFormation = new CloudFormationClient({ maxAttempts: 2 })
  const refusals: string[] = []
  const warnings: string[] = []
  const ask = async (what: string, question: () => Promise<void>) => {
    await question().catch((error: Error) => void warnings.push(`${what} could not be looked at: ${error.message}`))
  }
  const refuse = (problem: string | undefined) => void (problem !== undefined && refusals.push(problem))
  await Promise.all([
    ask('What can be made in this region', async () => {
      const lacking = await lackingIn(cloudFormation, settings)
      if (lacking.length > 0)
        refuse(
          `The stack can't be made in ${process.env.AWS_REGION}, which lacks: ${lacking.join('; ')}. Set AWS_REGION to one that has everything: ${regions.join(', ')}.`,
        )
    }),
    ask('The region', async () => {
      const lack = lackOfKeywords(await cloudFormation.config.region())
      if (lack) warnings.push(`WARNING: ${lack} The command "keywords enable" is refused.`)
    }),
    ask('The certificate', async () => refuse(await certificateProblem(new ACMClient(GLOBAL), settings))),
    ask('The hosted zone', async () => {
      const resources = settings.hostedZoneId && !isNew ? await stackResources(settings.stackName) : []
      const made = resources.flatMap(({ type, physicalId }) => (type === 'AWS::Route53::RecordSet' ? [physicalId.replace(/\.$/, '')] : []))
      refusals.push(...(await zoneProblems(new Route53Client(GLOBAL), settings, new Set(made))))
    }),
    // A stack that is there has its policies.
    ask('The policies of CloudFront', async () => refuse(isNew ? await policyProblem(new CloudFrontClient(GLOBAL)) : undefined)),
    ask('The sender of e-mails', async () => void warnings.push(...(await senderWarnings(new SESv2Client({ maxAttempts: 2 }), settings)))),
  ])
  return { refusals, warnings }
}
