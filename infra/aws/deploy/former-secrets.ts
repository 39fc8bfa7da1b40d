import { stackResources } from '../library/stack-resources.ts'

/**
 * The secrets in which a stack of an earlier version has its keys. The update that moves these may read them; later ones find none.
 * @returns their ARNs
 */
export async function formerSecrets(stackName: string): Promise<string[]> {
  // A stack that is not there has none. What else keeps this from being read fails the update, which is rolled back.
  const resources = await stackResources(stackName).catch(() => [])
  return resources.filter(({ type }) => type === 'AWS::SecretsManager::Secret').map(({ physicalId }) => physicalId)
}
