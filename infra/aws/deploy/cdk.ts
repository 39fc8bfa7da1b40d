import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CdkDefaults, type Command, type DeployArguments, readArguments } from './arguments.ts'
import { echoed } from './echoed-command.ts'

const projectRoot = join(import.meta.dirname, '../../..')

/**
 * Reads the arguments of a command that runs the CDK.
 * @throws Error in a sentence
 */
export function argumentsOf(args: readonly string[], command: Command): DeployArguments {
  const read = readArguments(args, JSON.parse(readFileSync(join(projectRoot, 'cdk.json'), 'utf8')) as CdkDefaults, command)
  return { ...read, output: resolve(projectRoot, read.output) }
}

/**
 * Arguments of the CDK that deploy what `cdk synth` wrote into a folder, as it is. Under the CDK's one name for change sets, one of two deployments
 * that begin at the same moment would execute what the other has prepared.
 */
export function deploymentOf(folder: string): string[] {
  return ['deploy', '--app', folder, '--require-approval', 'never', '--change-set-name', `deploy-${randomUUID()}`]
}

/** Runs the CDK, and passes on what it writes. @returns its exit code, and the end of its output */
export function cdk(...command: string[]): Promise<{ code: number; output: string }> {
  return echoed(process.execPath, [join(projectRoot, 'node_modules/aws-cdk/bin/cdk'), ...command])
}
