import { access, rm, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ToolFailed, ToolUnavailable } from '../failure.ts'
import { confinement } from '../processes/confined.ts'
import { ProcessPool } from '../processes/pool.ts'
import { type TimeLimit, timeLimit } from '../processes/time-limit.ts'
import { textsBeyondUtf8, undeclaredIsUtf8 } from './character-sets.ts'
import { chooseEngine, type Engine, type EngineSettings } from './engine.ts'
import { type Answer, type CommandLimits, ExifToolProcess, ProcessKilled, type RunExifTool } from './exiftool-process.ts'
import type { WrittenFields } from './fields.ts'
import { type FileTags, fileTags, parseTags } from './tags.ts'
import { type WriteOptions, writeVerified } from './writing.ts'

/** Reads and writes embedded metadata with the real ExifTool. */
export interface ExifTool {
  /**
   * All tags of a file, without those of the file system.
   * @param path ExifTool takes the extension as a hint (raw photos): give the temporary file the sniffed extension
   * @param fileName value of the tag `FileName`
   * @param time time limit, if lower than the default
   * @throws ToolFailed, ToolTimedOut, ToolBusy, ToolUnavailable
   */
  readTags(path: string, fileName: string, time?: TimeLimit): Promise<FileTags>
  /**
   * The bytes of an embedded picture, profile or other binary tag; undefined if the file has none.
   * @throws ToolFailed, ToolTimedOut, ToolBusy, ToolUnavailable
   */
  readBinary(path: string, tag: string): Promise<Buffer | undefined>
  /**
   * Writes a copy of a JPEG, PNG or TIFF file with these fields, and verifies it by reading it again.
   * @param source ExifTool refuses an extension of another type: give the temporary file none, or the sniffed one
   * @param target must not exist; named like the source
   * @throws ToolFailed (then there is no target), also for a file with Content Credentials unless `breaksCredentials`; ToolTimedOut,
   *   ToolBusy, ToolUnavailable
   */
  writeFields(source: string, target: string, fields: WrittenFields, options?: WriteOptions): Promise<void>
  /** Any other command on one file, with ExifTool's own options. The answer contains errors from standard error. */
  run(options: readonly string[], path: string): Promise<Answer>
  /** The engine it runs on. */
  engine(): Promise<Engine['kind']>
  /** Ends its processes. */
  close(): Promise<void>
}

export interface ExifToolSettings extends EngineSettings {
  /** Time limit of one file. */
  time?: TimeLimit
  /** Most processes. */
  processes?: number
}

/** Largest answer in bytes. Tags of ordinary files take 2 to 60 KB. */
const maxTagBytes = 8 * 1024 ** 2
/** Largest binary tag in bytes. Full-size previews of raw photos have up to about 30 MB. */
const maxBinaryBytes = 64 * 1024 ** 2

/** Minimum speed of writing, which extends the time limit of large files. Slow disks reach it. */
const bytesPerMillisecond = 20_000

/**
 * A pool of long-lived ExifTool processes. A process is killed if a file takes too long, prints too much or uses too much memory. They
 * start with the first command and end a minute after the last.
 */
export function createExifTool(settings: ExifToolSettings = {}): ExifTool {
  const time = settings.time ?? timeLimit(30_000)
  let chosen: Promise<Engine> | undefined
  const engine = () => {
    chosen ??= chooseEngine(settings).catch((error) => {
      chosen = undefined
      throw error
    })
    return chosen
  }
  const pool = new ProcessPool({
    start: async () => new ExifToolProcess(...(await Promise.all([engine(), confinement()]))),
    size: settings.processes ?? 2,
    idleMilliseconds: 60_000,
    jobsPerProcess: 500,
  })

  async function run(options: readonly string[], path: string, limits: Partial<CommandLimits> = {}): Promise<Answer> {
    const command = [...options, argument(path)]
    return await twiceIfKilled(() => pool.run((process) => process.run(command, { time, bytes: maxTagBytes, ...limits })))
  }

  return {
    async readTags(path, fileName, limit = time) {
      const { size } = await stat(path)
      const { printed, errors } = await run(['-j', '-g', '-n', '-api', 'StructFormat=JSONQ', ...undeclaredIsUtf8, '--System:all'], path, {
        time: limit,
      })
      if (printed.length === 0) throw new ToolFailed(`ExifTool printed nothing: ${errors}`)
      const texts = parseTags(printed.toString(), { name: fileName, bytes: size })
      const named = Object.entries(texts).flatMap(([group, tags]) => Object.entries(tags).map(([tag, value]) => [`${group}:${tag}`, value]))
      const again: RunExifTool = (options, path) => run(options, path, { time: limit })
      for (const [name, value] of Object.entries(await textsBeyondUtf8(again, path, Object.fromEntries(named), ['-G0']))) {
        const [group, tag] = name.split(':')
        texts[group!]![tag!] = value
      }
      return fileTags(texts)
    },
    async readBinary(path, tag) {
      const { printed } = await run(['-b', `-${tag}`], path, { bytes: maxBinaryBytes })
      return printed.length > 0 ? printed : undefined
    },
    async writeFields(source, target, fields, options) {
      const { size } = await stat(source)
      await checkSpace(dirname(target), size)
      const writing = timeLimit(size / bytesPerMillisecond)
      const limits = { time: { processor: time.processor + writing.processor, wall: time.wall + writing.wall }, bytes: maxTagBytes }
      const write = () =>
        pool.run((process) =>
          writeVerified((options, path) => process.run([...options, argument(path)], limits), source, argument(target), fields, options),
        )
      await twiceIfKilled(async () => {
        if (await exists(target)) throw new ToolFailed('the target is there already')
        await write().catch(async (error: unknown) => {
          await rm(target, { force: true })
          throw error
        })
      })
    },
    run: (options, path) => run(options, path),
    engine: async () => (await engine()).kind,
    close: () => pool.close(),
  }
}

/** Retries once if something else killed the process, because that may not be the file's fault. */
async function twiceIfKilled<Result>(attempt: () => Promise<Result>): Promise<Result> {
  return await attempt().catch((error: unknown) => {
    if (error instanceof ProcessKilled) return attempt()
    throw error
  })
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}

/** Upper bound of a file's growth by metadata. */
const growthBytes = 16 * 1024 ** 2

/** Checks the disk space first, because ExifTool would blame the file. @throws ToolUnavailable */
async function checkSpace(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < bytes + growthBytes) throw new ToolUnavailable(`the disk has no room for a copy of ${bytes} bytes`)
}

/** ExifTool reads arguments as lines, and one that doesn't start with `/` could be an option. */
function argument(path: string): string {
  const absolute = resolve(path)
  if (/[\0\r\n]/.test(absolute)) throw new ToolFailed('a path with line breaks can not be given to ExifTool')
  return absolute
}
