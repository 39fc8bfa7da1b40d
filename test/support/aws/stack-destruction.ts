import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Assembly } from './stack-assembly.ts'

/**
 * `npm run destroy` of an assembly's stack.
 * @param input what the operator types
 * @returns exit code and all that it wrote
 */
export async function destroyed({ folder, stackName }: Assembly, input: string, ...args: string[]): Promise<{ code: number; out: string }> {
  // The way to the stack's hosts is not the CLI's, which talks to the emulator itself.
  const { HTTPS_PROXY: _, NODE_USE_ENV_PROXY: __, ...env } = process.env
  const given = ['infra/aws/deploy/destroy.ts', '--app', folder, '-c', `stackName=${stackName}`, ...args]
  const child = spawn(process.execPath, given, { env, stdio: 'pipe' })
  child.stdin.end(input)
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, out: out + error }
}
