import { GetAccountSummaryCommand, IAMClient } from '@aws-sdk/client-iam'
import { type StackResource, stackResources } from '../library/stack-resources.ts'
import { type WrittenTemplate, writtenTemplates } from './written-templates.ts'

const ROLE = 'AWS::IAM::Role'

/**
 * Whether an account has room for the roles of a deployment. An update removes those that it no longer needs last.
 * @param there what the stack consists of before it
 * @returns what lacks, in a sentence; undefined where there is room
 */
export async function roleProblem(
  client: Pick<IAMClient, 'send'>,
  templates: readonly Pick<WrittenTemplate, 'template'>[],
  there: readonly Pick<StackResource, 'type' | 'id'>[],
): Promise<string | undefined> {
  const known = new Set(there.filter(({ type }) => type === ROLE).map(({ id }) => id))
  const roles = templates.flatMap(({ template: { Resources } }) => Object.keys(Resources).filter((id) => Resources[id]!.Type === ROLE))
  const more = roles.filter((id) => !known.has(id)).length
  const { Roles: taken = 0, RolesQuota: most = Infinity } = (await client.send(new GetAccountSummaryCommand({}))).SummaryMap ?? {}
  if (taken + more <= most) return undefined
  return [
    `IAM allows this account ${most.toLocaleString('en')} roles. It has ${taken.toLocaleString('en')}, and ${more} more are made: remove some that nothing uses,`,
    'or ask AWS for more, then deploy again:',
    `  aws service-quotas request-service-quota-increase --region us-east-1 --service-code iam --quota-code L-FE177D64 --desired-value ${most + 1_000}`,
  ].join('\n')
}

/**
 * Asks the account for room for the roles of what was synthesized into a folder. Where that may not be asked it says so.
 * @returns why the stack can't be made, in sentences
 */
export async function roleRefusals(folder: string, stackName: string): Promise<string[]> {
  try {
    const problem = await roleProblem(new IAMClient({ maxAttempts: 2 }), writtenTemplates(folder, stackName), await resourcesOf(stackName))
    return problem === undefined ? [] : [problem]
  } catch (error) {
    console.error(`The roles of the account could not be looked at: ${(error as Error).message}\n`)
    return []
  }
}

/** None of a stack that is not there. */
async function resourcesOf(stackName: string): Promise<StackResource[]> {
  try {
    return await stackResources(stackName)
  } catch (error) {
    if (/does not exist/.test(String(error))) return []
    throw error
  }
}
