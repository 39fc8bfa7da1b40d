import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { EngineUnavailable } from './engine.ts'

/** How long one step of an installation may take, in milliseconds: the longest is a build of four minutes on an idle machine. */
const STEP_LIMIT = 900_000

/**
 * Runs one step of an engine's installation.
 *
 * @throws EngineUnavailable when its tool is not on this machine, or it fails
 */
export async function installationStep(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  let output = ''
  const child = execFile(command, args, { timeout: STEP_LIMIT, maxBuffer: 64 * 1024 ** 2, ...options }, (_, out, errors) => {
    output = errors || out
  })
  // A failure to start is told by an event, too, and `once` rejects with it.
  const [code] = await once(child, 'close').catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? `there is no ${command} on this machine` : cause.message
    throw new EngineUnavailable(reason, { cause })
  })
  if (code !== 0) throw new EngineUnavailable(`${command} failed: ${output.trim().split('\n').at(-1) || 'it was ended'}`)
}
