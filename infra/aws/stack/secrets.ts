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

  constructor(scope: Construct, id: string, { settings, deployment, ...defaults }: SecretsProps) {
    super(scope, id)
    const keys = this.keysOf(settings)
    const { ApiSecretsKeyArn, UrlSigningKeyArn, OriginKeyArn, UrlPublicKeyArn } = keys
    const passing = [UrlSigningKeyArn, OriginKeyArn, UrlPublicKeyArn]
    const maker = lambdaFunction(
      new Construct(this, 'make-secrets'),
      {
        key: 'make-secrets',
        description: 'Deployment: makes keys once',
        timeoutSeconds: 60,
        statements: [
          // The key of AWS that encrypts parameters lets everybody of the account use it through the Parameter Store.
          new PolicyStatement({ actions: ['ssm:GetParameter', 'ssm:PutParameter', 'ssm:DeleteParameter'], resources: passing }),
          new PolicyStatement({
            actions: [
              'ssm:GetParameter',
              ...{ own: ['ssm:PutParameter', 'ssm:DeleteParameter'], kept: ['ssm:PutParameter'], adopted: [] }[keys.ApiSecretsKey],
            ],
            resources: [ApiSecretsKeyArn],
          }),
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
    const originKey = resource('OriginKey', 'Custom::OriginKey', { OriginKeyArn, NoEcho: true })
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
    return {
      ApiSecretsKeyArn: adopted ?? arn('apiSecretsKey'),
      ApiSecretsKey: adopted !== undefined ? 'adopted' : retain ? 'kept' : 'own',
      ...{ UrlSigningKeyArn: arn('urlSigningKey'), OriginKeyArn: arn('originKey'), UrlPublicKeyArn: arn('urlPublicKey') },
    }
  }
}
