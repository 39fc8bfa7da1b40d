import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { filesNamedBy } from '../../../shared/backends/objects/embedded-backup.ts'
import { inParallel } from '../../../shared/parallel.ts'
import { crc32OfFile } from '../../../shared/tools/digest.ts'
import { BUCKETS } from './contents.ts'
import { type ListedFile, OBJECT_LIST, ObjectList } from './object-list.ts'
import { PARALLELISM } from './place-object-files.ts'
import { backupTarget } from './target.ts'

/** Something that is wrong with the file of an object. */
export interface ObjectFileProblem {
  problem: 'object_file_missing' | 'object_file_damaged'
  /** A sentence. */
  message: string
}

/** Problems of one backup that are told. */
const MOST_TOLD = 1_000

/** Reads every object file of a backup, and compares it with the list. @returns those that are missing, cut off or other than they were */
export async function damagedObjectFiles(source: string, folder: string): Promise<ObjectFileProblem[]> {
  using list = ObjectList.open(join(folder, OBJECT_LIST))
  const { objectFile } = backupTarget(source)
  const problems: ObjectFileProblem[] = []
  await inParallel(list.all(), PARALLELISM, async (listed) => {
    if (problems.length >= MOST_TOLD) return
    const found = await problemOf(objectFile(listed.bucket, listed.file), listed)
    if (found) problems.push(found)
  })
  return problems
}

async function problemOf(path: string, { bytes, crc32 }: ListedFile): Promise<ObjectFileProblem | undefined> {
  const damaged = (how: string): ObjectFileProblem => ({ problem: 'object_file_damaged', message: `${path} ${how}.` })
  try {
    const { size } = await stat(path)
    if (size !== bytes) return damaged(`${size < bytes ? 'is cut off' : 'is too long'}: it has ${size} bytes instead of ${bytes}`)
    return (await crc32OfFile(path)) === crc32 ? undefined : damaged('has other bytes than when it was backed up')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? { problem: 'object_file_missing', message: `${path} is not there.` } : damaged(`can't be read: ${message}`)
  }
}

/**
 * What a library had lost already when it was backed up: what its indexes name, and the list of the backup's files has not, or otherwise.
 * @param directory with a copy of the indexes, of this version
 * @param folder of the backup
 */
export function lostObjectFiles(directory: string, folder: string): ObjectFileProblem[] {
  using list = ObjectList.open(join(folder, OBJECT_LIST))
  const problems: ObjectFileProblem[] = []
  for (const bucket of BUCKETS) {
    for (const { file, bytes, crc32 } of filesNamedBy(join(directory, bucket, 'index.db'))) {
      const listed = list.find(bucket, file)
      if (listed && listed.bytes === (bytes ?? listed.bytes) && listed.crc32 === (crc32 ?? listed.crc32)) continue
      if (problems.length >= MOST_TOLD) return problems
      const when = 'in the library when it was backed up'
      if (listed) problems.push({ problem: 'object_file_damaged', message: `The file ${file} of ${bucket} was damaged ${when}.` })
      else problems.push({ problem: 'object_file_missing', message: `The file ${file} of ${bucket} was not ${when}.` })
    }
  }
  return problems
}
