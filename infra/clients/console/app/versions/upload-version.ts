import type { OpenedFile } from '../file/opened-file.svelte.ts'
import { text } from '../language/language.svelte.ts'
import { notices } from '../ui/notices.svelte.ts'
import { fileOf, type Gathered } from '../uploads/batch.ts'
import { md5Of } from '../uploads/md5.ts'
import { uploads } from '../uploads/queue.svelte.ts'

/** Asks for a file that becomes the next version. */
export function chooseVersion(opened: OpenedFile): void {
  const field = document.createElement('input')
  field.type = 'file'
  field.onchange = () => field.files?.[0] && void uploadVersion(opened, field.files[0])
  field.click()
}

/** Takes what was dropped on a file: one file becomes its next version. @param reason why a user without the right can't do that */
export async function dropVersion(opened: OpenedFile, gathered: Promise<Gathered>, reason: string): Promise<void> {
  const { files, folders } = await gathered
  const [only, ...others] = files
  if (!opened.canWrite) notices.fail(new Error(reason || text.forbidden))
  else if (!only || others.length > 0 || folders.length > 0) notices.fail(new Error(text.oneFileOnly))
  else await uploadVersion(opened, await fileOf(only).catch(() => undefined))
}

/** The same bytes again are no version. */
async function uploadVersion(opened: OpenedFile, file: File | undefined): Promise<void> {
  const { media } = opened
  if (!media) return
  try {
    if (!file) throw new Error('unreadable')
    if (file.size === media.file_disksize && (await md5Of(file)) === media.file_md5) notices.tell(text.sameBytes)
    else uploads.addVersion(file, opened.id, () => void opened.followImport())
  } catch {
    notices.fail(new Error(text.unreadable))
  }
}
