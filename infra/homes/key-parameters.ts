/** The parameters (SecureString) with the keys of a stack. That of the public half isn't secret. */
export type KeyParameter = 'apiSecretsKey' | 'urlSigningKey' | 'originKey' | 'urlPublicKey'

/**
 * The name of a parameter of a stack. It differs between stacks of the same name, so a later one neither takes nor removes what an earlier one kept.
 * @param id the last part of the stack's id
 */
export const keyParameterName = (stackName: string, id: string, key: KeyParameter) => `/media-library/${stackName}/${id}/${key}`

/** The ARN of a parameter of a stack that is there. @param stackId its ARN */
export function keyParameterArn(stackId: string, key: KeyParameter): string {
  const [, , , region, account, resource = ''] = stackId.split(':')
  const [, stackName = '', id = ''] = resource.split('/')
  return `arn:aws:ssm:${region}:${account}:parameter${keyParameterName(stackName, id, key)}`
}
