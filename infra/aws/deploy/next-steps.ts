import type { SNSClient } from '@aws-sdk/client-sns'
import { paginateListSubscriptionsByTopic } from '@aws-sdk/client-sns'
import { CONSOLE_PATH } from '../../clients/console/paths.ts'
import type { Place } from '../place.ts'

/** The beginning of a command for a stack, in its account and region. */
export function adminCommand(stackName: string, { region, profile }: Place): string {
  return `AWS_REGION=${region} npm run --silent admin -- --stack ${stackName}${profile === undefined ? '' : ` --profile ${profile}`}`
}

/**
 * What comes after a deployment, for the operator.
 * @param hasCompany whether somebody can sign in
 */
export function nextSteps(baseUrl: string, admin: string, hasCompany: boolean): string {
  const first = [
    'Make a company, and its admin with the number that the first command prints (password.txt holds their password):',
    `  ${admin} company create --name "Example"`,
    `  ${admin} user create --company NUMBER --username anna --email anna@example.com --fullname "Anna Berg" --admin --password - < password.txt`,
  ]
  return [`The console: ${baseUrl}${CONSOLE_PATH}`, ...(hasCompany ? [] : first)].join('\n')
}

/**
 * Whether somebody reads a stack's alarms.
 * @param topicArn of the alarms
 * @returns what lacks, in sentences; undefined where somebody has confirmed a subscription
 */
export async function unreadAlarms(client: SNSClient, topicArn: string, alarmEmail: string | undefined): Promise<string | undefined> {
  for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn: topicArn })) {
    // SNS writes `PendingConfirmation` for the ARN of a subscription that is not confirmed.
    if (Subscriptions.some(({ SubscriptionArn = '' }) => SubscriptionArn.startsWith('arn:'))) return undefined
  }
  if (alarmEmail === undefined)
    return 'WARNING: Nobody reads the alarms of this stack. Name who gets them: npm run deploy -- -c alarmEmail=you@example.com'
  return [
    `WARNING: Nobody reads the alarms of this stack before ${alarmEmail} follows the link in the mail "AWS Notification - Subscription Confirmation".`,
    'Where that mail is lost, or days old, AWS sends another:',
    `  aws sns subscribe --region ${topicArn.split(':')[3]} --topic-arn ${topicArn} --protocol email --notification-endpoint ${alarmEmail}`,
  ].join('\n')
}
