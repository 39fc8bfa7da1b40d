import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { deleteIndex, indexPath } from '../../../shared/backends/search/index-folder.ts'
import type { Removed } from '../../../shared/library/company-removal/removal.ts'

/**
 * Removes what one machine keeps of a company beside table and objects: its search index, e-mails that were written into files, and rendered
 * pictures of links. These are a cache, whose files don't say of whom they are, so all go.
 */
export async function removeRemains(paths: ReturnType<typeof embeddedLayout>, { companyId, addresses }: Removed): Promise<void> {
  deleteIndex(indexPath(paths.search, companyId))
  await rm(paths.linkPictures, { recursive: true, force: true })
  for (const name of await namesIn(paths.mail)) {
    const path = join(paths.mail, name)
    if (addresses.has(recipientOf(await readFile(path, 'latin1')))) await rm(path, { force: true })
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.eml'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return []
  }
}

/** The address of the header `To`, which may go on in the next line. */
function recipientOf(message: string): string {
  return /^To:\s*<?([^\s<>]+)/im.exec(message)?.[1] ?? ''
}
