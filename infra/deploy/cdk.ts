import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { type CdkDefaults, type DeployArguments, readArguments } from './arguments.ts'
import { echoed } from './echoed-command.ts'

const projectRoot = join(import.meta.dirname, '../..')

/**
 * Reads the settings of a command that runs the CDK, and leads the AWS SDK to the account and region that the CDK takes.
 * @param args of the CDK
 * @throws Error that names every wrong setting
 */
export async function settingsOf(args: readonly string[]): Promise<DeployArguments> {
  const read = readArguments(args, JSON.parse(readFileSync(join(projectRoot, 'cdk.json'), 'utf8')) as CdkDefaults)
  const { profile } = read
  if (profile) process.env.AWS_PROFILE = profile
  // The CDK falls back to us-east-1 and to AWS_DEFAULT_REGION; the SDK does neither.
  process.env.AWS_REGION ??= process.env.AWS_DEFAULT_REGION ?? (await new LambdaClient().config.region().catch(() => 'us-east-1'))
  return { ...read, output: resolve(projectRoot, read.output) }
}

/** Arguments of the CDK that deploy what `cdk synth` wrote into a folder, as it is. */
export const deploymentOf = (folder: string) => ['deploy', '--app', folder, '--require-approval', 'never']

/** Runs the CDK, and passes on what it writes. @returns its exit code, and the end of its output */
export function cdk(...command: string[]): Promise<{ code: number; output: string }> {
  return echoed(process.execPath, [join(projectRoot, 'node_modules/aws-cdk/bin/cdk'), ...command])
}
