import { CustomResource, Duration, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import type { PublicHalves } from '../custom-resources/make-secrets.ts'
import { acceptFindings } from './accepted-findings.ts'
import { type FunctionDefaults, lambdaFunction } from './service-function.ts'
import type { DeploymentSettings } from './settings.ts'

type SecretSettings = Pick<DeploymentSettings, 'retain' | 'adoptApiSecretsKeyArn'>

/** The secrets of a deployment. A custom resource gives them their values, because no service of AWS makes a P-256 key pair. */
export class Secrets extends Construct {
  readonly apiSecretsKeyArn: string
  readonly urlSigningKeyArn: string
  readonly originKeyArn: string
  /** Made once all secrets have their values. */
  readonly values: CustomResource

  /**
   * @param options.settings whether the key to records outlives the stack, or is there already. The others are of use to this stack alone
   * @param options.deployment differs between deployments, so CloudFormation runs the function each time: it refills a secret that was emptied
   */
  constructor(
    scope: Construct,
    id: string,
    { settings, deployment, ...defaults }: FunctionDefaults & { settings: SecretSettings; deployment: string | undefined },
  ) {
    super(scope, id)
    const secret = (name: string, description: string, removalPolicy = RemovalPolicy.DESTROY) => {
      const made = new CfnSecret(this, name, { description })
      made.applyRemovalPolicy(removalPolicy)
      return made.attrId
    }
    const { retain, adoptApiSecretsKeyArn } = settings
    const keyPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY
    this.apiSecretsKeyArn = adoptApiSecretsKeyArn ?? secret('ApiSecretsKey', 'Encrypts API secrets at rest', keyPolicy)
    this.urlSigningKeyArn = secret('UrlSigningKey', 'Signs delivery URLs')
    this.originKeyArn = secret('OriginKey', 'Proves to functions that a request came through the delivery network')
    acceptFindings(this, {
      'AwsSolutions-SMG4':
        'The operator rotates keys (key rotate): each needs more than another value, and two values are valid at a time.',
    })
    const arns = { ApiSecretsKeyArn: this.apiSecretsKeyArn, UrlSigningKeyArn: this.urlSigningKeyArn, OriginKeyArn: this.originKeyArn }
    const maker = lambdaFunction(
      new Construct(this, 'make-secrets'),
      {
        key: 'make-secrets',
        description: 'Deployment: makes keys once',
        timeoutSeconds: 60,
        statements: [
          new PolicyStatement({
            actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
            resources: Object.values(arns),
          }),
        ],
      },
      defaults,
    )
    this.values = new CustomResource(this, 'Values', {
      resourceType: 'Custom::Secrets',
      serviceToken: maker.functionArn,
      // Everything else waits for it: by default for an hour.
      serviceTimeout: Duration.minutes(5),
      properties: { ...arns, ...(deployment && { Deployment: deployment }) },
    })
  }

  /** @returns the part of a secret that is public, as a value of the template */
  publicHalf(name: keyof PublicHalves): string {
    return this.values.getAttString(name)
  }
}
