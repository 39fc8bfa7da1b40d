import { createHash } from 'node:crypto'
import { CustomResource, Duration, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53'
import { Construct } from 'constructs'
import { CERTIFICATE_TAG } from '../custom-resources/make-certificate.ts'
import { acceptFindings } from './accepted-findings.ts'
import { type FunctionDefaults, lambdaFunction } from './service-function.ts'

const TTL_SECONDS = '300'

/** Part of an id that follows from names. */
export const idOfNames = (...names: string[]) => createHash('sha256').update(names.join()).digest('hex').slice(0, 8)

/**
 * A certificate of us-east-1 for names in a hosted zone, validated by records there. Other names make another certificate, and remove this one when
 * nothing uses it any more. A name keeps its record: ACM validates all certificates of an account for it by the same one.
 */
export class ZoneCertificate extends Construct {
  /** Known once the certificate is issued. */
  readonly arn: string

  constructor(scope: Construct, id: string, { names, zoneId }: { names: readonly string[]; zoneId: string }, defaults: FunctionDefaults) {
    super(scope, id)
    const sorted = names.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    const { partition, account, region, stackName } = Stack.of(this)
    const stack = `${stackName}-${region}`
    const maker = lambdaFunction(
      new Construct(this, 'make-certificate'),
      {
        key: 'make-certificate',
        description: 'Deployment: has a certificate issued for host names',
        timeoutSeconds: 900,
        statements: [
          new PolicyStatement({
            actions: ['acm:RequestCertificate', 'acm:AddTagsToCertificate'],
            resources: ['*'],
            conditions: { StringEquals: { [`aws:RequestTag/${CERTIFICATE_TAG}`]: stack } },
          }),
          new PolicyStatement({
            actions: ['acm:DescribeCertificate', 'acm:DeleteCertificate'],
            resources: [`arn:${partition}:acm:us-east-1:${account}:certificate/*`],
            conditions: { StringEquals: { [`aws:ResourceTag/${CERTIFICATE_TAG}`]: stack } },
          }),
        ],
      },
      defaults,
    )
    const unnamed = 'A certificate has no ARN before it is made: the tag, which is the stack, is the limit.'
    acceptFindings(this, {
      'AwsSolutions-IAM5[Resource::*]': unnamed,
      'Serverless-LambdaStarPermissions': unnamed,
      'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:acm:us-east-1:<AWS::AccountId>:certificate/*]': unnamed,
    })
    const serviceToken = maker.functionArn
    const requested = new CustomResource(this, `Requested${idOfNames(...sorted)}`, {
      resourceType: 'Custom::Certificate',
      serviceToken,
      serviceTimeout: Duration.minutes(20),
      properties: { Names: sorted, Stack: stack },
    })
    const issued = new CustomResource(this, `Issued${idOfNames(...sorted)}`, {
      resourceType: 'Custom::IssuedCertificate',
      serviceToken,
      serviceTimeout: Duration.minutes(20),
      properties: { CertificateArn: requested.getAttString('Arn') },
    })
    for (const [at, name] of sorted.entries()) {
      const record = new CfnRecordSet(this, `Record${idOfNames(name)}`, {
        hostedZoneId: zoneId,
        name: requested.getAttString(`Name${at}`),
        type: 'CNAME',
        ttl: TTL_SECONDS,
        resourceRecords: [requested.getAttString(`Value${at}`)],
      })
      issued.node.addDependency(record)
    }
    this.arn = issued.getAttString('Arn')
  }
}

/** Id of the zone of all of CloudFront's names. Source: AWS CloudFormation Template Reference, `AWS::Route53::RecordSet AliasTarget`. */
const CLOUDFRONT_ZONE = 'Z2FDTNDATAQYW2'

/** Has names in a hosted zone lead to hosts of CloudFront. Such records cost nothing when they are asked for. */
export function zoneRecords(scope: Construct, zoneId: string, targets: Readonly<Record<string, string>>): void {
  const records = new Construct(scope, 'HostNames')
  for (const [name, dnsName] of Object.entries(targets)) {
    for (const type of ['A', 'AAAA']) {
      new CfnRecordSet(records, `${type}${idOfNames(name)}`, {
        hostedZoneId: zoneId,
        name: `${name}.`,
        type,
        aliasTarget: { hostedZoneId: CLOUDFRONT_ZONE, dnsName },
      })
    }
  }
}
