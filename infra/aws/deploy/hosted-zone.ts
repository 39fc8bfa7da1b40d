import { GetHostedZoneCommand, ListResourceRecordSetsCommand, NoSuchHostedZone, type Route53Client } from '@aws-sdk/client-route-53'
import { type DeploymentSettings, hostNames } from '../stack/settings.ts'

type Client = Pick<Route53Client, 'send'>

/** Types of records that a stack makes of a name, and that Route 53 takes beside none of these. */
const LEADING = ['A', 'AAAA', 'CNAME']

/**
 * Looks at the hosted zone in which a stack is to make the records of its host names. CloudFormation would fail after half of the stack is made.
 * @param made names whose records the stack has made
 * @returns what is wrong, in sentences; none where nothing is
 * @throws what Route 53 answers, but for a zone that is not there
 */
export async function zoneProblems(
  client: Client,
  settings: Parameters<typeof hostNames>[0] & Pick<DeploymentSettings, 'hostedZoneId'>,
  made: ReadonlySet<string>,
): Promise<string[]> {
  const { hostedZoneId } = settings
  if (hostedZoneId === undefined) return []
  const zone = await find(client, hostedZoneId)
  if (!zone) return [`There is no hosted zone ${hostedZoneId} in this account.`]
  const zoneName = withoutDot(zone.Name!)
  if (zone.Config?.PrivateZone)
    return [`The hosted zone ${hostedZoneId} (${zoneName}) is private: nobody outside of its networks finds names in it.`]
  const hosts = hostNames(settings)
  const outside = hosts.filter((host) => host !== zoneName && !host.endsWith(`.${zoneName}`))
  if (outside.length > 0) return [`The hosted zone ${hostedZoneId} holds names below ${zoneName}, not ${outside.join(', ')}.`]
  const problems: string[] = []
  for (const host of hosts.filter((each) => !made.has(each))) {
    const records = await recordsOf(client, hostedZoneId, host)
    if (records.length > 0)
      problems.push(`The hosted zone has ${records.join(', ')} of ${host} already: remove it, so that the stack can make its own.`)
  }
  return problems
}

async function find(client: Client, Id: string) {
  try {
    return (await client.send(new GetHostedZoneCommand({ Id }))).HostedZone
  } catch (error) {
    if (error instanceof NoSuchHostedZone) return undefined
    throw error
  }
}

/** Types of the records of a name that stand in the way. */
async function recordsOf(client: Client, HostedZoneId: string, host: string): Promise<string[]> {
  const { ResourceRecordSets = [] } = await client.send(
    new ListResourceRecordSetsCommand({ HostedZoneId, StartRecordName: host, MaxItems: 20 }),
  )
  const own = ResourceRecordSets.filter(({ Name = '', Type = '' }) => withoutDot(Name) === host && LEADING.includes(Type))
  return own.map(({ Type = '' }) => Type)
}

const withoutDot = (name: string) => name.replace(/\.$/, '')
