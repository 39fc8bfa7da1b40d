import { CloudFormationClient, DescribeStacksCommand, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation'

/** A resource of a stack. */
export interface StackResource {
  type: string
  /** In the template. */
  id: string
  /** Its id at the service: a function's name, an id at CloudFront. */
  physicalId: string
}

/** The id of a stack: an ARN. */
export async function stackIdOf(StackName: string): Promise<string> {
  const { Stacks } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName }))
  return Stacks![0]!.StackId!
}

/** All existing resources of a stack and of its nested ones. */
export async function stackResources(StackName: string): Promise<StackResource[]> {
  const client = new CloudFormationClient()
  const all: StackResource[] = []
  let NextToken: string | undefined
  do {
    const page = await client.send(new ListStackResourcesCommand({ StackName, NextToken }))
    for (const {
      ResourceType: type = '',
      LogicalResourceId: id = '',
      PhysicalResourceId: physicalId,
      ResourceStatus: status,
    } of page.StackResourceSummaries ?? []) {
      if (physicalId === undefined || status === 'DELETE_COMPLETE') continue
      all.push({ type, id, physicalId })
      if (type === 'AWS::CloudFormation::Stack') all.push(...(await stackResources(physicalId)))
    }
    NextToken = page.NextToken
  } while (NextToken)
  return all
}
