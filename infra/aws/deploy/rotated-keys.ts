import { GetKeyGroupCommand } from '@aws-sdk/client-cloudfront'
import { cloudFrontClient } from '../../../shared/backends/edge-cache/cloudfront.ts'
import { stackResources } from '../library/stack-resources.ts'
import { removeRotatedKeys } from '../library/stack-url-key.ts'

/**
 * Finds what rotations of the URL key have made at CloudFront, of which CloudFormation knows nothing.
 * @returns what removes it when the stack is gone. Before that the keys are in use
 */
export async function rotatedKeysOf(stackName: string): Promise<() => Promise<void>> {
  // A stack that is not there has made none. What else keeps this from being read fails the removal itself.
  const resources = await stackResources(stackName).catch(() => [])
  const group = resources.find(({ type }) => type === 'AWS::CloudFront::KeyGroup')
  if (!group) return async () => undefined
  const client = cloudFrontClient()
  const { KeyGroup } = await client.send(new GetKeyGroupCommand({ Id: group.physicalId }))
  return () => removeRotatedKeys(client, KeyGroup!.KeyGroupConfig!.Name!, () => true)
}
