import { ArnFormat, Duration, Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { JOB_RECORDS } from '../../../shared/library/jobs/job.ts'
import { JOB_SLOTS } from '../../../shared/library/jobs/slots.ts'
import type { Uses } from '../../../shared/resources.ts'
import type { JobGroup } from '../../../shared/runtime/job-groups.ts'
import { acceptFindings } from './accepted-findings.ts'
import { type ConcurrencyLimits, runsOf } from './concurrency.ts'
import { type ServiceDefaults, serviceFunction } from './service-function.ts'

export interface JobDefaults extends ServiceDefaults {
  limits: ConcurrencyLimits
}

/** A function that does jobs. It starts by being invoked. */
export class JobLambda extends Construct {
  readonly lambda: LambdaFunction
  readonly kinds: JobGroup['kinds']

  constructor(scope: Construct, group: JobGroup, defaults: JobDefaults) {
    super(scope, group.name)
    const { name, kinds, summary, timeoutSeconds, memoryMb, temporaryMb } = group
    this.kinds = kinds
    const { table, jobs } = defaults.targets
    const uses = kinds.map((kind) => kind.uses)
    const functionName = jobFunctionName(jobs.prefix, name)
    const size = { ...(memoryMb ? { memoryMb } : {}), ...(temporaryMb ? { temporaryMb } : {}) }
    const statements = keepJobs(uses, table, Stack.of(this).formatArn(functionArn(functionName)))
    const environment = { TABLE_NAME: table.tableName, JOB_FUNCTION: functionName, JOB_RUNS: String(runsOf(group, defaults.limits)) }
    this.lambda = serviceFunction(
      this,
      { key: name, description: summary, uses, timeoutSeconds, ...size, statements, environment },
      defaults,
    )
    this.beWoken()
  }

  /** Its own retries are off: the record of the job says what is tried again. A run may wake the next one, however often. */
  private beWoken(): void {
    this.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.hours(6) })
    const definition = this.lambda.node.defaultChild as CfnFunction
    definition.recursiveLoop = 'Allow'
    acceptFindings(this.lambda, {
      'Serverless-LambdaAsyncFailureDestination':
        'A wake-up that is lost loses nothing: the job waits in the table, and wake-jobs looks for it.',
    })
  }
}

/**
 * The rights of a run on the records of jobs, besides those of the function: it takes and ends jobs and slots. And it invokes the next run.
 */
function keepJobs(uses: readonly Uses[], { tableArn }: ITable, functionArn: string): PolicyStatement[] {
  const accesses = uses.flatMap(({ table }) => table ?? [])
  const ofJobs = (actions: string[]) =>
    new PolicyStatement({
      actions,
      resources: [tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${JOB_RECORDS}*`, `${JOB_SLOTS}*`] } },
    })
  const allow = (action: string, resource: string) => new PolicyStatement({ actions: [action], resources: [resource] })
  return [
    ...(accesses.length === 0 ? [allow('dynamodb:GetItem', tableArn), allow('dynamodb:Query', tableArn)] : []),
    ...(accesses.some((access) => access.startsWith('write')) ? [] : [ofJobs(['dynamodb:UpdateItem', 'dynamodb:DeleteItem'])]),
    ...(accesses.some((access) => access.endsWith('ByDue')) ? [] : [allow('dynamodb:Query', `${tableArn}/index/trashDue`)]),
    allow('lambda:InvokeFunction', functionArn),
  ]
}

/** The name of the function of a group of jobs. */
export const jobFunctionName = (prefix: string, group: string): string => `${prefix}${group}`

/** For `Stack.formatArn`. */
export const functionArn = (name: string) => ({
  service: 'lambda',
  resource: 'function',
  resourceName: name,
  arnFormat: ArnFormat.COLON_RESOURCE_NAME,
})
