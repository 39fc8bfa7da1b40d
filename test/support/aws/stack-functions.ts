import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * Ends a function's processes at once, as a machine that fails does.
 * @param key of the function
 * @returns how many there were
 */
export async function endFunction(key: string): Promise<number> {
  const { SERVICE_STACK } = process.env
  const folder = new RegExp(`ministack-lambda-${SERVICE_STACK}-(\\d-)?${key}-\\w+(/|\\0|$)`)
  let ended = 0
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    // A process that ended meanwhile has nothing to read.
    const [command, place] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      readlink(`/proc/${pid}/cwd`).catch(() => ''),
    ])
    if (!command.includes('node') || !(folder.test(command) || folder.test(place))) continue
    process.kill(Number(pid), 'SIGKILL')
    ended++
  }
  return ended
}
