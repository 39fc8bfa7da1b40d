import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal, type PolicyStatement as Statement } from 'aws-cdk-lib/aws-iam'
import { Architecture, type Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct, IDependable } from 'constructs'
import type { Uses } from '../../../shared/resources.ts'
import type { Settings } from '../../../shared/settings.ts'
import type { Targets } from '../grant.ts'
import { grantsOf } from '../grants.ts'
import { acceptFindings } from './accepted-findings.ts'
import { withoutCovered } from './covered-statements.ts'

/** The common settings of all functions of a deployment. */
export interface FunctionDefaults {
  /** The package of a function, by its key. */
  code(key: string): Code
  /** Days for which logs are kept. */
  logRetentionDays: number
}

/** The common settings of the service's functions, beyond those of the deployment itself. */
export interface ServiceDefaults extends FunctionDefaults {
  targets: Targets
  settings: Settings
  /** The resource after which functions that search are updated. */
  beforeSearches: IDependable
}

export interface LambdaProps {
  key: string
  /** Its key after the stack's name by default. */
  functionName?: string
  description: string
  timeoutSeconds: number
  memoryMb?: number
  temporaryMb?: number
  statements: Statement[]
  environment?: Record<string, string>
  /** Its log group; one of its own by default. */
  logGroup?: ILogGroup
}

/** A log group that goes with the stack. */
export function logGroupOf(scope: Construct, id: string, { logRetentionDays }: Pick<FunctionDefaults, 'logRetentionDays'>): LogGroup {
  return new LogGroup(scope, id, { retention: logRetentionDays, removalPolicy: RemovalPolicy.DESTROY })
}

/**
 * A Lambda function with this project's defaults: Node 24 on arm64, and a role of its own that holds the given statements and the right to
 * write to its log group, nothing else.
 */
export function lambdaFunction(scope: Construct, props: LambdaProps, defaults: FunctionDefaults): LambdaFunction {
  const logGroup = props.logGroup ?? logGroupOf(scope, 'Logs', defaults)
  const writeLogs = new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] })
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    // Inline, because a policy resource per function would double the number of resources that roles take.
    inlinePolicies: { function: new PolicyDocument({ statements: [writeLogs, ...props.statements] }) },
  })
  const fn = new LambdaFunction(scope, 'Function', {
    functionName: props.functionName ?? `${Stack.of(scope).stackName}-${props.key}`,
    description: props.description,
    code: defaults.code(props.key),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    // Refuses what other constructs would grant in addition: the function doesn't declare it.
    role: role.withoutPolicyUpdates(),
    logGroup,
    timeout: Duration.seconds(props.timeoutSeconds),
    // Lambda gives processor time in proportion to memory; 512 MB is 0.3 of a core.
    memorySize: props.memoryMb ?? 512,
    ...(props.temporaryMb ? { ephemeralStorageSize: Size.mebibytes(props.temporaryMb) } : {}),
    ...(props.environment ? { environment: props.environment } : {}),
  })
  acceptFindings(fn, {
    'Serverless-LambdaDLQ':
      'Callers and streams keep what failed (event-function.ts); only schedules and rules would lose it, and what they start has one.',
    'Serverless-LambdaTracing': 'A request is one function that logs its id and its time; there is no chain to trace.',
  })
  return fn
}

const arn = 'arn:<AWS::Partition>'
const place = '<AWS::Region>:<AWS::AccountId>'

const LOOKS_AT_PICTURES = 'Rekognition knows no resources for looking at a picture. Which pictures these are is limited (grants.ts).'

/** The accepted findings of a function that uses a resource. */
const findings: Partial<Record<keyof Uses, Readonly<Record<string, string>>>> = {
  mail: {
    [`AwsSolutions-IAM5[Resource::${arn}:ses:${place}:identity/*]`]:
      'Which identities SES asks for depends on what is verified in the account; the sender is the limit (grants.ts).',
  },
  keywords: {
    'AwsSolutions-IAM5[Resource::*]': LOOKS_AT_PICTURES,
    'Serverless-LambdaStarPermissions': LOOKS_AT_PICTURES,
  },
  transcoder: {
    [`AwsSolutions-IAM5[Resource::${arn}:mediaconvert:${place}:jobs/*]`]:
      'MediaConvert names a job when it is made, and a job can be told by its id only: looking at one and cancelling it is allowed, making one is limited to the queue.',
  },
}

/** A function of the service. It gets permissions and environment for what it declares to use, or for what each of its parts does. */
export function serviceFunction(
  scope: Construct,
  props: Omit<LambdaProps, 'statements'> & { uses: Uses | readonly Uses[]; statements?: Statement[] },
  defaults: ServiceDefaults,
): LambdaFunction {
  const { searchCollection } = defaults.targets
  const parts = [props.uses].flat() as readonly Uses[]
  const named = parts.flatMap((uses) => grantsOf(uses, searchCollection && 'opensearch'))
  const granted = named.map(({ grant }) => grant)
  const statements = granted.flatMap((grant) => grant.statements(defaults.targets))
  const environment = Object.assign({}, ...granted.map((grant) => grant.environment(defaults.targets)))
  for (const used of parts.flatMap((uses) => Object.keys(uses))) acceptFindings(scope, findings[used as keyof Uses] ?? {})
  const fn = lambdaFunction(
    scope,
    {
      ...props,
      statements: withoutCovered(scope, [...statements, ...(props.statements ?? [])]),
      environment: { SETTINGS: Stack.of(scope).toJsonString(defaults.settings), ...environment, ...props.environment },
    },
    defaults,
  )
  const names = new Set(named.map(({ name }) => name))
  if (names.has('search')) fn.node.addDependency(defaults.beforeSearches)
  const roleArn = fn.role?.roleArn
  if (roleArn && names.has('search')) searchCollection?.admit(roleArn, 'read')
  if (roleArn && names.has('searchIndexer')) searchCollection?.admit(roleArn, 'write')
  return fn
}
