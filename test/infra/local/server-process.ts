import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { DemoFile, demoFile } from '../../../infra/local/demo/demo.ts'
import { type Service, serviceAt } from '../../support/service.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The command that starts the server. */
export const NODE = [process.execPath, '--require', './infra/start-up.cjs', 'infra/local/main.ts'] as const

/** The server as `npm start` runs it, in a process of its own. */
export class ServerProcess {
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  readonly #directory: string
  stdout = ''
  stderr = ''

  /**
   * @param directory data folder
   * @param command what starts it; Node itself unless told otherwise, which is quicker than npm
   * @param cwd the project that is started; this one unless told otherwise
   */
  constructor(directory: string, environment: Record<string, string> = {}, command: readonly [string, ...string[]] = NODE, cwd = root) {
    this.#directory = directory
    const [program, ...args] = command
    this.child = spawn(program, args, {
      cwd,
      // npm starts for no user without a home.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: directory, PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.exited = once(this.child, 'close').then(([code]) => code)
  }

  /** Waits for the ready line. @returns the service behind it @throws Error when the process ends instead */
  async ready(): Promise<Service> {
    return serviceAt(await this.address(), DemoFile.parse(JSON.parse(readFileSync(demoFile(this.#directory), 'utf8'))))
  }

  /** Waits for the ready line. @returns the address in it @throws Error when the process ends instead */
  async address(): Promise<string> {
    while (!this.stdout.includes('\n')) {
      const ended = await Promise.race([once(this.child.stdout!, 'data').then(() => false), this.exited.then(() => true)])
      if (ended) throw new Error(`the server ended: ${this.stderr}`)
    }
    return /^ready (\S+)$/m.exec(this.stdout)?.[1] ?? ''
  }

  /** Sends a signal and waits for the end. @returns the exit code, null after SIGKILL */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal)
    return this.exited
  }
}

/** A server until the test ends. */
export function startedServer(...start: ConstructorParameters<typeof ServerProcess>): ServerProcess {
  const server = new ServerProcess(...start)
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return server
}
