import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { companionUrl } from '../companions.ts'
import { ToolUnavailable } from '../failure.ts'

const execute = promisify(execFile)

/** How to start a long-lived ExifTool. */
export interface Engine {
  /** The system's Perl, or Perl compiled to WebAssembly. Both run the same ExifTool. */
  kind: 'perl' | 'wasm'
  command: string
  args: string[]
  env: Record<string, string>
}

export interface EngineSettings {
  /**
   * Perl to run ExifTool with. Default: the one beside a function's bundle (infra/aws/bundling/perl-package.ts), else the one on the path.
   */
  perl?: string
  /** ExifTool's script; that of the installed package by default. */
  script?: string
  /** Allows only this engine. */
  kind?: Engine['kind']
}

/** Memory limit of ExifTool for one file, in MiB. Ordinary files need less than 150. */
const memoryMib = 1_024

/** Address space of Perl's stack (perl-wasm.ts), in MiB. */
const wasmStackMib = 512

/** `-config ''` comes first, so that no configuration file on the machine runs code or changes the output. */
const stayOpen = ['-config', '', '-stay_open', 'True', '-@', '-']

/** A minimal environment: the server's own may contain secrets, and settings that change Perl's behaviour. */
function environment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

/**
 * Chooses the engine: Perl if it can run ExifTool, else WebAssembly (two seconds slower at the start, and about ten times slower per file).
 * @throws ToolUnavailable if there is neither
 */
export async function chooseEngine(settings: EngineSettings = {}): Promise<Engine> {
  const script = settings.script ?? installed('exiftool-vendored.pl/bin/exiftool')
  if (!script) throw new ToolUnavailable('ExifTool is not installed: the package exiftool-vendored.pl is missing')
  if (settings.kind !== 'wasm') {
    const perls = settings.perl ? [settings.perl] : [...besideBundle(), 'perl']
    for (const perl of perls) if (await runsExifTool(perl, script)) return perlEngine(perl, script)
  }
  const wasm = installed('@6over3/zeroperl-ts/zeroperl.wasm')
  if (settings.kind !== 'perl' && wasm) return wasmEngine(wasm, script)
  throw new ToolUnavailable('ExifTool needs a perl on the path, or the package @6over3/zeroperl-ts')
}

function besideBundle(): string[] {
  const perl = fileURLToPath(new URL('./perl/perl', import.meta.url))
  return existsSync(perl) ? [perl] : []
}

function perlEngine(perl: string, script: string): Engine {
  // The shell limits its own memory, then execs Perl. Systems without this limit (macOS) have none.
  const limited = `ulimit -v ${memoryMib * 1024} 2>/dev/null; exec "$0" "$@"`
  return { kind: 'perl', command: '/bin/sh', args: ['-c', limited, perl, script, ...stayOpen], env: environment() }
}

function wasmEngine(wasm: string, script: string): Engine {
  const launcher = fileURLToPath(companionUrl('perl-wasm'))
  const flags = ['--no-warnings', `--wasm-max-mem-pages=${(memoryMib + wasmStackMib) * 16}`]
  return { kind: 'wasm', command: process.execPath, args: [...flags, launcher, wasm, script, ...stayOpen], env: environment() }
}

/** Runs ExifTool itself, because an installed Perl may lack modules that it needs. */
async function runsExifTool(perl: string, script: string): Promise<boolean> {
  try {
    const { stdout } = await execute(perl, [script, '-config', '', '-ver'], { env: environment(), timeout: 20_000 })
    return /^\d+\.\d+/.test(stdout)
  } catch {
    return false
  }
}

function installed(specifier: string): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve(specifier))
  } catch {
    return undefined
  }
}
