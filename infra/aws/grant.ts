import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { Resources, Uses } from '../../shared/resources.ts'

/** The resources of the stack that grants name. */
export interface Targets {
  table: ITable
  uploads: IBucket
  media: IBucket
  public: IBucket
  /** The functions that do jobs: what their names begin with before the group, all kinds with their groups (`<kind>:<group>`, commas between them), and their ARNs. */
  jobs: { prefix: string; kinds: string; functionArns: readonly string[] }
  /** What MediaConvert makes previews and streams of videos with: its queue, and the role of the jobs. */
  transcoding: { queueArn: string; roleArn: string }
  /** Distribution whose edges answer links. */
  links: { distributionId: string; distributionArn: string }
  /** ARN of the parameter that holds the PEM key which signs delivery URLs. */
  urlSigningKeyArn: string
  /** CloudFront's id of the public half. */
  urlKeyPairId: string
  /** Address of the delivery host, without trailing slash. */
  deliveryUrl: string
  apiSecretsKeyArn: string
  /**
   * The operator's provider of stock: its address, hosts separated by commas, and a secret of theirs whose text is its key. Undefined where the
   * stock library is the catalogue.
   */
  stockProvider: { url: string; hosts: string; keyArn: string | undefined } | undefined
  /** The collection of OpenSearch Serverless that has the search index; undefined where functions have indexes of their own. */
  searchCollection: SearchCollectionTarget | undefined
  /** Networks to which no request goes where others name the host, separated by commas. */
  outsideRefuse: string
  /** E-mail address that mail is sent from. */
  mailSender: string
  /** Name of the configuration set of SES that all mail is sent with. */
  mailConfigurationSet: string
}

/** A collection of OpenSearch Serverless. */
export interface SearchCollectionTarget {
  arn: string
  /** Its address. */
  endpoint: string
  /** Lets a role search (`read`) or index (`write`). IAM alone doesn't: a collection has policies of its own. */
  admit(roleArn: string, access: 'read' | 'write'): void
}

/** How a bundle makes the adapter of a resource. */
export interface Adapter {
  /** The imports: export names by module path, relative to the project. */
  imports: Readonly<Record<string, readonly string[]>>
  /** Expression that makes it. It may name the resources that the grant `needs`. */
  make: string
}

/** The grant of a function for one way to use a resource. */
export interface Grant {
  statements(targets: Targets): PolicyStatement[]
  environment(targets: Targets): Record<string, string>
  adapter: Adapter
  /** Resources that the adapter itself uses. They are granted with it. */
  needs?: Uses
  /** Whether those who may write the table may do this anyway: their policies leave it out. */
  isTableWrite?: boolean
}

/** Grants by the ways to use a resource. */
export type GrantsOf<Name extends keyof Resources> = { readonly [Access in keyof Resources[Name]]: Grant }

/** A statement that allows actions on resources, named by their ARNs. */
export const allow = (actions: string[], ...resources: string[]) => new PolicyStatement({ actions, resources })

/** Expression that reads a variable of the function's environment. */
export const env = (name: string) => `process.env.${name}`

/** The imports of adapters that need the time. */
export const clockImport = { 'shared/backends/clock/port.ts': ['systemClock'] }

/** The imports of adapters that log. */
export const logImport = { 'shared/log/json-log.ts': ['standardLog'] }
