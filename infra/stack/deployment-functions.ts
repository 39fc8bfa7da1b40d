import { createHash } from 'node:crypto'
import { CustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { GENERIC_THUMBNAIL_KEY } from '../../shared/library/media/delivery.ts'
import { genericThumbnail } from '../../shared/tools/generic-thumbnail.ts'
import type { PublicHalves } from '../custom-resources/make-secrets.ts'
import { acceptFindings } from './accepted-findings.ts'
import { type FunctionDefaults, lambdaFunction } from './service-function.ts'

/** The secrets of a deployment. A function of ours gives them their values, because no service makes a P-256 key pair. */
export class Secrets extends Construct {
  readonly apiSecretsKeyArn: string
  readonly urlSigningKeyArn: string
  readonly originKeyArn: string
  /** Made once all secrets have their values. */
  readonly values: CustomResource

  /**
   * @param options.retain whether the secrets outlive the stack
   * @param options.deployment differs between deployments: CloudFormation asks the function anew, which refills what was emptied meanwhile
   */
  constructor(
    scope: Construct,
    id: string,
    { retain, deployment, ...defaults }: FunctionDefaults & { retain: boolean; deployment: string | undefined },
  ) {
    super(scope, id)
    const secret = (name: string, description: string) => {
      const made = new CfnSecret(this, name, { description })
      made.applyRemovalPolicy(retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY)
      return made.attrId
    }
    this.apiSecretsKeyArn = secret('ApiSecretsKey', 'Encrypts API secrets at rest')
    this.urlSigningKeyArn = secret('UrlSigningKey', 'Signs delivery URLs')
    this.originKeyArn = secret('OriginKey', 'Proves to functions that a request came through the delivery network')
    acceptFindings(this, {
      'AwsSolutions-SMG4':
        'A new key would make every API secret unreadable and every URL that was handed out invalid: none rotates by itself.',
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
      // Everything else waits for it, for an hour where nothing is said.
      serviceTimeout: Duration.minutes(5),
      properties: { ...arns, ...(deployment && { Deployment: deployment }) },
    })
  }

  /** @returns what may be known of the secrets, as a value of the template */
  publicHalf(name: keyof PublicHalves): string {
    return this.values.getAttString(name)
  }
}

/** Furnishes the buckets when the stack is made; closes and empties those that go with it, because CloudFormation removes only empty ones. */
export class PreparedBuckets extends Construct {
  /** What writes to the buckets by itself depends on it: made after it, and removed before the buckets are emptied. */
  readonly prepared: CustomResource

  constructor(scope: Construct, id: string, { media, emptied }: { media: Bucket; emptied: readonly Bucket[] }, defaults: FunctionDefaults) {
    super(scope, id)
    const emptying = [
      new PolicyStatement({
        actions: ['s3:GetBucketPolicy', 's3:PutBucketPolicy', 's3:ListBucketVersions'],
        resources: emptied.map((bucket) => bucket.bucketArn),
      }),
      new PolicyStatement({
        actions: ['s3:DeleteObject', 's3:DeleteObjectVersion'],
        resources: emptied.map((bucket) => bucket.arnForObjects('*')),
      }),
    ]
    const preparer = lambdaFunction(
      new Construct(this, 'prepare-buckets'),
      {
        key: 'prepare-buckets',
        description: 'Deployment: furnishes buckets; closes and empties those that go with the stack',
        timeoutSeconds: 900,
        statements: [
          new PolicyStatement({ actions: ['s3:PutObject'], resources: [media.arnForObjects(GENERIC_THUMBNAIL_KEY)] }),
          ...emptying,
        ],
      },
      defaults,
    )
    const properties = {
      Media: media.bucketName,
      Emptied: emptied.map((bucket) => bucket.bucketName),
      Partition: Stack.of(this).partition,
      // Makes CloudFormation ask again when the picture changes.
      Picture: createHash('sha256').update(genericThumbnail().bytes).digest('hex'),
    }
    // Under another id CloudFormation would remove this one from a stack in use, which empties its buckets.
    this.prepared = new CustomResource(this, 'Prepared', {
      resourceType: 'Custom::Buckets',
      serviceToken: preparer.functionArn,
      // No shorter time than an hour: emptying large buckets takes the three runs of 15 minutes that Lambda gives the function.
      properties,
    })
    for (const { policy } of emptied) {
      if (!policy) continue
      // Removed in the opposite order: buckets are emptied while the policy that demands TLS still stands.
      this.prepared.node.addDependency(policy)
      // What closed the bucket goes with it, and not before.
      policy.applyRemovalPolicy(RemovalPolicy.RETAIN)
    }
  }
}
