import { ArnFormat, CustomResource, Duration, Fn, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { type KeyParameter, keyParameterName } from '../../homes/key-parameters.ts'
import type { PublicHalves, WantedKeys } from '../custom-resources/make-secrets.ts'
import { type FunctionDefaults, lambdaFunction } from './service-function.ts'
import type { DeploymentSettings } from './settings.ts'

type SecretSettings = Pick<DeploymentSettings, 'retain' | 'adoptApiSecretsKeyArn'>

interface SecretsProps extends FunctionDefaults {
  /** Whether the key to records outlives the stack, or is there already. The others are of use to this stack alone. */
  settings: SecretSettings
  /** Differs between deployments, so CloudFormation runs the function each time: it makes what lacks, and tells of keys that were rotated. */
  deployment: string | undefined
  /** ARNs of the secrets with which an earlier version made the stack: the keys move from there. */
  formerSecrets: readonly string[]
}

/**
 * The keys of a deployment, in the Parameter Store, where they cost nothing. A custom resource makes them, because CloudFormation makes no
 * parameters of this kind (SecureString), and no service of AWS a P-256 key pair.
 */
export class Secrets extends Construct {
  /** The ARNs are attributes of the resource that makes the keys, so that whoever may read one is made after it. */
  readonly apiSecretsKeyArn: string
  readonly urlSigningKeyArn: string
  /** The key by which the delivery network proves itself to functions. CloudFormation shows it to nobody. */
  readonly originKey: string
  private readonly values: CustomResource

  constructor(scope: Construct, id: string, { settings, deployment, formerSecrets, ...defaults }: SecretsProps) {
    super(scope, id)
    const keys = this.keysOf(settings)
    const { ApiSecretsKeyArn, AdoptedSecretArn, UrlSigningKeyArn, OriginKeyArn, UrlPublicKeyArn } = keys
    const passing = [UrlSigningKeyArn, OriginKeyArn, UrlPublicKeyArn]
    const allow = (actions: string[], resources: string[]) => (resources.length > 0 ? [new PolicyStatement({ actions, resources })] : [])
    const maker = lambdaFunction(
      new Construct(this, 'make-secrets'),
      {
        key: 'make-secrets',
        description: 'Deployment: makes keys once',
        timeoutSeconds: 60,
        statements: [
          // The key of AWS that encrypts parameters lets everybody of the account use it through the Parameter Store.
          ...allow(['ssm:GetParameter', 'ssm:PutParameter', 'ssm:DeleteParameter'], passing),
          ...allow(
            [
              'ssm:GetParameter',
              ...{ own: ['ssm:PutParameter', 'ssm:DeleteParameter'], kept: ['ssm:PutParameter'], adopted: [] }[keys.ApiSecretsKey],
            ],
            [ApiSecretsKeyArn],
          ),
          ...allow(['secretsmanager:GetSecretValue'], [...formerSecrets, ...(AdoptedSecretArn ? [AdoptedSecretArn] : [])]),
        ],
      },
      defaults,
    )
    const resource = (name: string, resourceType: string, properties: object) =>
      new CustomResource(this, name, {
        resourceType,
        serviceToken: maker.functionArn,
        // Everything else waits for it: by default for an hour.
        serviceTimeout: Duration.minutes(5),
        properties: { ...properties, ...(deployment && { Deployment: deployment }) },
      })
    this.values = resource('Values', 'Custom::Secrets', keys)
    // Not `OriginKey`: a secret of earlier versions has that id, and CloudFormation gives no id to another type of resource.
    const originKey = resource('NetworkKey', 'Custom::OriginKey', { OriginKeyArn, NoEcho: true })
    originKey.node.addDependency(this.values)
    this.apiSecretsKeyArn = this.values.getAttString('ApiSecretsKeyArn')
    this.urlSigningKeyArn = this.values.getAttString('UrlSigningKeyArn')
    this.originKey = originKey.getAttString('OriginKey')
  }

  /** @returns the part of a key that is public, as a value of the template */
  publicHalf(name: keyof PublicHalves): string {
    return this.values.getAttString(name)
  }

  private keysOf({ retain, adoptApiSecretsKeyArn: adopted }: SecretSettings): WantedKeys {
    const stack = Stack.of(this)
    const stackUuid = Fn.select(2, Fn.split('/', stack.stackId))
    const arn = (key: KeyParameter) =>
      stack.formatArn({
        service: 'ssm',
        resource: 'parameter',
        resourceName: keyParameterName(stack.stackName, stackUuid, key).slice(1),
        arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
      })
    const own = { ApiSecretsKeyArn: arn('apiSecretsKey'), ApiSecretsKey: retain ? 'kept' : 'own' } as const
    const others = { UrlSigningKeyArn: arn('urlSigningKey'), OriginKeyArn: arn('originKey'), UrlPublicKeyArn: arn('urlPublicKey') }
    if (adopted === undefined) return { ...own, ...others }
    return adopted.startsWith('arn:aws:ssm:')
      ? { ...others, ApiSecretsKeyArn: adopted, ApiSecretsKey: 'adopted' }
      : { ...own, ...others, ApiSecretsKey: 'kept', AdoptedSecretArn: adopted }
  }
}
