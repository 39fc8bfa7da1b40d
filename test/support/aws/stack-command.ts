import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { deploymentOf } from '../../../infra/aws/deploy/cdk.ts'
import type { Assembly } from './stack-assembly.ts'

/** Longest that a command may take, in seconds: the CLI waits for ever for a resource that never answers. */
const LONGEST = 300

/** The CDK's command line, led to what the environment names and to nothing else. */
export class CommandLine {
  readonly #environment: NodeJS.ProcessEnv

  /** @param environment names the emulator to the AWS SDK */
  constructor(environment: NodeJS.ProcessEnv) {
    // The way to the stack's hosts is not the CLI's, which talks to the emulator itself.
    const { HTTPS_PROXY: _, NODE_USE_ENV_PROXY: __, ...others } = environment
    this.#environment = others
  }

  /** `npm run synth`. @param folder where its files go @param context settings of cdk.json that differ from the defaults */
  synthesize(folder: string, context: Readonly<Record<string, string>>): Promise<string> {
    const settings = Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    return outputOf(this.#start('npm', ['run', '--silent', 'synth', '--', '--output', folder, ...settings]))
  }

  /** Creates the stack of an assembly, or updates it, as `npm run deploy` does. @throws Error with the last output */
  deploy({ folder }: Assembly): Promise<string> {
    return this.run(deploymentOf(folder))
  }

  /** Starts a deployment that is not waited for. */
  startDeployment({ folder }: Assembly): ChildProcess {
    return this.#start(...cdk(deploymentOf(folder)))
  }

  destroy({ folder, stackName }: Assembly): Promise<string> {
    return this.run(['destroy', stackName, '--app', folder, '--force'])
  }

  /** @param cwd the project by default @returns what it wrote @throws Error with the last of that */
  run(args: readonly string[], cwd?: string): Promise<string> {
    return outputOf(this.#start(...cdk(args), cwd))
  }

  #start(program: string, args: readonly string[], cwd = process.cwd()): ChildProcess {
    return spawn(program, args, { cwd, env: this.#environment, stdio: ['ignore', 'pipe', 'pipe'] })
  }
}

/** @throws Error with the last output */
async function outputOf(child: ChildProcess): Promise<string> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const limit = setTimeout(() => child.kill('SIGKILL'), LONGEST * 1_000)
  const [code, signal] = await once(child, 'close').finally(() => clearTimeout(limit))
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')}: ${signal ?? `exit ${code}`}\n${output.slice(-4_000)}`)
  return output
}

/** Program and arguments. */
function cdk(args: readonly string[]): [string, string[]] {
  return [process.execPath, [join(process.cwd(), 'node_modules/aws-cdk/bin/cdk'), ...args]]
}
