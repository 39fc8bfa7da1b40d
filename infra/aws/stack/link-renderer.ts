import { type CfnFunction, FunctionUrl, FunctionUrlAuthType, InvokeMode, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import type { NamedFunction } from '../../../shared/runtime/consumer.ts'
import { type ServiceDefaults, serviceFunction } from './service-function.ts'

/** The function that renders pictures of links, at an address of its own. CloudFront proves itself there by a signature. */
export class LinkRenderer extends Construct {
  readonly lambda: LambdaFunction
  readonly url: FunctionUrl

  /** @param options.concurrency how many pictures it renders at a time, taken from what the account allows; 0: as many as that */
  constructor(scope: Construct, fn: NamedFunction, { concurrency, ...defaults }: ServiceDefaults & { concurrency: number }) {
    super(scope, fn.name)
    const { name, summary, uses, timeoutSeconds, memoryMb, temporaryMb } = fn
    const size = { ...(memoryMb ? { memoryMb } : {}), ...(temporaryMb ? { temporaryMb } : {}) }
    // The host of links is made after this function, which is one of its origins, and that of the player after that: the function can't know
    // either.
    const settings = { ...defaults.settings, cdnUrl: '', playerUrl: '' }
    this.lambda = serviceFunction(this, { key: name, description: summary, uses, timeoutSeconds, ...size }, { ...defaults, settings })
    const definition = this.lambda.node.defaultChild as CfnFunction
    if (concurrency > 0) definition.reservedConcurrentExecutions = concurrency
    this.url = new FunctionUrl(this, 'Url', {
      function: this.lambda,
      authType: FunctionUrlAuthType.AWS_IAM,
      invokeMode: InvokeMode.RESPONSE_STREAM,
    })
  }
}
