import { bytes } from '../language/format.ts'
import { text } from '../language/language.svelte.ts'
import { addressOf } from '../router.svelte.ts'
import type { LibraryEvent } from './calls.ts'
import { type Names, placesOf } from './names.ts'

/** What an event is about, as people read it. */
export interface Subject {
  name: string
  /** Where it is in the console, while it is there. */
  address: string | undefined
  /** The folders that it is in, or was. */
  places: string
}

export function subjectOf(event: LibraryEvent, names: Names): Subject {
  const places = placesOf(event).flatMap((id) => names.folder(id) ?? [])
  return { ...named(event, names), places: places.length > 0 ? text.inFolders(places.join(', ')) : '' }
}

function named({ data }: LibraryEvent, names: Names): Pick<Subject, 'name' | 'address'> {
  const { media_id: file, folder_id: folder, share_id: share, percent, bytes: used = 0, quota_bytes: quota = 0 } = data
  if (file !== undefined) {
    const name = names.file(file)
    return { name: name ?? text.fileNumbered(file), address: name === undefined ? undefined : addressOf(`file/${file}`) }
  }
  if (folder !== undefined) {
    const name = names.folder(folder)
    return { name: name ?? text.folderNumbered(folder), address: name === undefined ? undefined : addressOf(`folder/${folder}`) }
  }
  if (share !== undefined) return { name: text.sharedByLink, address: addressOf('shares') }
  if (percent !== undefined) return { name: text.quotaFilled(percent, bytes(used), bytes(quota)), address: addressOf('usage') }
  return { name: '', address: undefined }
}
