import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inParallel } from '../../../shared/parallel.ts'
import type { Session } from './command.ts'
import { type Download, downloadFile } from './download-file.ts'
import { type ExitCode, endsRun, exitCodeOf, exitCodes, wordsOf } from './exit-code.ts'
import type { LibraryFile } from './library-tree.ts'
import { md5Of } from './local-source.ts'
import { startProgress } from './progress.ts'
import type { Rate } from './rate.ts'
import { writeSidecars } from './sidecars.ts'
import type { StateFile } from './state-file.ts'

export interface DownloadPlan {
  files: AsyncIterable<LibraryFile> | Iterable<LibraryFile>
  /** Folder of the disk. */
  target: string
  what: Download['what']
  /** Whether to write sidecars with metadata. */
  sidecars: boolean
  transfers: number
  state: StateFile
  isDryRun: boolean
  rate?: Rate | undefined
}

export interface Downloaded {
  downloaded: number
  already_there: number
  failed: number
  exitCode: ExitCode
}

/** Downloads files in parallel. Keeps existing files with the same bytes, and those of earlier runs. */
export async function runDownload(session: Session, plan: DownloadPlan): Promise<Downloaded> {
  const { transfers, output, surroundings } = session
  const { signal } = surroundings
  const { target, what, state, rate } = plan
  const result: Downloaded = { downloaded: 0, already_there: 0, failed: 0, exitCode: exitCodes.done }
  const progress = startProgress(surroundings, 'Downloading')
  let end: unknown
  const take = async (file: LibraryFile): Promise<void> => {
    const path = join(target, ...file.folders, file.name)
    try {
      signal.throwIfAborted()
      if (end) throw end
      const isThere = await isDownloaded(file, path, plan)
      if (plan.isDryRun) {
        if (!isThere) output.line({ outcome: 'would_download', path, id: file.id }, `would download  ${path}`)
      } else if (!isThere) {
        await mkdir(join(path, '..'), { recursive: true })
        await downloadFile(transfers, { ...file, path, what }, { signal, rate, onBytes: (bytes) => progress.add(bytes) })
        const { size, mtimeMs } = await stat(path)
        state.keep(keyOf(path, what), { bytes: size, modified: mtimeMs, media: file.id, version: file.version })
      }
      if (plan.sidecars) await writeSidecars(transfers, file.id, path)
      result[isThere ? 'already_there' : 'downloaded']++
      if (output.isJson && !plan.isDryRun) output.line({ outcome: isThere ? 'already_there' : 'downloaded', path, id: file.id }, '')
      progress.fileDone()
    } catch (error) {
      result.failed++
      if (signal.aborted) {
        result.exitCode = exitCodes.interrupted
        return
      }
      const own = exitCodeOf(error)
      const isWorse = own === exitCodes.forbidden || own === exitCodes.limit
      if (isWorse || result.exitCode === exitCodes.done) result.exitCode = isWorse ? own : exitCodes.someFailed
      if (error === end) return
      output.note(`failed: ${path}: ${wordsOf(error)}`)
      if (endsRun(error)) end = error
    }
  }
  try {
    await inParallel(plan.files, rate?.transfers(plan.transfers) ?? plan.transfers, take)
  } finally {
    progress.end()
  }
  return result
}

const keyOf = (path: string, what: Download['what']): string => `${what} ${path}`

async function isDownloaded({ id, bytes, md5, version }: LibraryFile, path: string, { what, state }: DownloadPlan): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return false
  const kept = state.get(keyOf(path, what), { bytes: found.size, modified: found.mtimeMs })
  if (kept?.media === id && kept.version === version) return true
  return what === 'original' && found.size === bytes && md5 !== '' && (await md5Of(path)) === md5
}
