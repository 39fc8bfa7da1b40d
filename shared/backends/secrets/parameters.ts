import { GetParameterCommand, SSMClient, type SSMClientConfig } from '@aws-sdk/client-ssm'
import { requestLimits } from '../aws/request-limits.ts'
import { type Clock, systemClock } from '../clock/port.ts'
import { keyValuesOfText } from './key-values.ts'
import { knownValues } from './known-values.ts'
import type { Secrets } from './port.ts'

/**
 * Attempts of a request, with growing pauses up to some seconds: an account may read 40 parameters a second, but more functions may start
 * at once.
 */
const ATTEMPTS = 6

export interface ParameterOptions<Name extends string> {
  /** ARNs of the parameters (SecureString) that the function may read. */
  arns: Readonly<Record<Name, string>>
  client?: SSMClient
  clock?: Clock
}

/** The name of a parameter, from its ARN: requests that change a parameter accept no ARN. */
export const parameterName = (arn: string): string => arn.slice(arn.indexOf(':parameter/') + ':parameter'.length)

/** A client with time limits on its requests. */
export function parameterClient(config: SSMClientConfig = {}): SSMClient {
  return new SSMClient({ requestHandler: requestLimits(3000), maxAttempts: ATTEMPTS, ...config })
}

/** Reads keys of the deployment from the Parameter Store of Systems Manager, where they cost nothing. */
export function parameterKeys<Name extends string>({
  arns,
  client = parameterClient(),
  clock = systemClock,
}: ParameterOptions<Name>): Secrets<Name> {
  return knownValues(async (name) => {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: parameterName(arns[name]), WithDecryption: true }))
    if (!Parameter?.Value) throw new Error(`The parameter ${name} has no value`)
    return keyValuesOfText(Parameter.Value)
  }, clock)
}
