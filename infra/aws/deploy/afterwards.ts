import { SNSClient } from '@aws-sdk/client-sns'
import { listCompanies } from '../../../shared/library/accounts/companies.ts'
import { need, openStack, outputsOf } from '../library/stack.ts'
import { stackResources } from '../library/stack-resources.ts'
import type { Place } from '../place.ts'
import type { DeploymentSettings } from '../stack/settings.ts'
import { adminCommand, nextSteps, unreadAlarms } from './next-steps.ts'

/** What the operator reads at the end of a deployment: the console's address, how to begin, and what lacks. A question that fails is passed over. */
export async function afterwards({ stackName, alarmEmail }: DeploymentSettings, place: Place): Promise<string[]> {
  const steps = async () => {
    const baseUrl = need(await outputsOf(stackName), 'BaseUrl', stackName)
    const companies = await listCompanies(await openStack(stackName)).catch(() => [])
    return nextSteps(baseUrl, adminCommand(stackName, place), companies.length > 0)
  }
  const alarms = async () => {
    const topic = (await stackResources(stackName)).find(({ type }) => type === 'AWS::SNS::Topic')
    return topic && unreadAlarms(new SNSClient({ maxAttempts: 2 }), topic.physicalId, alarmEmail)
  }
  const said = await Promise.all([steps(), alarms()].map((asked) => asked.catch(() => undefined)))
  return said.filter((text) => text !== undefined)
}
