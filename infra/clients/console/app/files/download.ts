import { api, dataOf } from '../api/client.ts'
import { tree } from '../folders/tree.svelte.ts'
import { pixels } from '../language/format.ts'
import { text } from '../language/language.svelte.ts'
import { downloadZip } from '../ui/download-zip.ts'
import type { MenuItem } from '../ui/menu.ts'
import { notices } from '../ui/notices.svelte.ts'
import { saveFrom } from '../ui/save.ts'
import { tellFailures } from './actions.ts'
import type { FoundFile } from './calls.ts'
import { withExpired } from './expired.ts'

/** Longest sides that `Download as` offers, in pixels. */
const SIDES = [1600, 800] as const
type Side = (typeof SIDES)[number]

/** Between two downloads, in milliseconds: a browser that is sent to the next address at once forgets the one before. */
const PAUSE = 1_000

/** What is known of a file that is downloaded: it tells which sizes there are. */
export type Measured = Pick<FoundFile, 'media_type'> & { width?: number | null; height?: number | null }

/** Downloads one file as it is delivered, several as one archive. @param folder that the archive is named by */
export function download(ids: readonly number[], folder?: number): void {
  withExpired(ids, text.download, () =>
    ids.length > 1
      ? zip(ids, folder)
      : oneAfterTheOther(ids, (id) => dataOf(api.GET('/media/{id}/download_location', { params: { path: { id } } }))),
  )
}

/** Makes an archive of files and downloads it. @param folder that it is named by */
export async function zip(ids: readonly number[], folder: number | undefined): Promise<void> {
  const name = folder === undefined ? undefined : tree.get(folder)?.name
  await downloadZip(dataOf(api.POST('/zip-file', { body: { media_ids: [...ids], ...(name && { name }) } })))
}

/**
 * Entries of the menu `Download as`. Sizes of several files come one after the other: archives hold whole files.
 * @param file what is known of it where it is the only one
 */
export function downloadChoices(ids: readonly number[], folder?: number, file?: Measured): MenuItem[] {
  const isOne = ids.length === 1
  const original: MenuItem = {
    label: text.original,
    ...(!isOne && { hint: text.asArchive }),
    run: () => withExpired(ids, text.download, () => (isOne ? downloadUnchanged(ids) : zip(ids, folder))),
  }
  // Of what is no picture there is nothing to make a size of.
  const sides = isOne && file?.media_type === 'generic' ? [] : SIDES
  return [
    original,
    ...sides.map((side) => ({
      label: text.sidePixels(side),
      hint: hintOf(side, isOne, file),
      run: () => withExpired(ids, text.download, () => downloadSize(ids, side)),
    })),
  ]
}

/** What comes in place of what a size seems to promise. */
function hintOf(side: Side, isOne: boolean, file: Measured | undefined): string {
  if (!isOne) return text.oneAfterTheOther
  const { media_type: type, width, height } = file ?? {}
  if (type === 'video') return text.asPreview
  return type === 'image' && width && height && Math.max(width, height) < side ? text.hasOnly(pixels(width, height)) : ''
}

/** Byte for byte as it was uploaded. */
const downloadUnchanged = (ids: readonly number[]) =>
  oneAfterTheOther(ids, (id) => dataOf(api.GET('/media/{id}/download_location', { params: { path: { id }, query: { original: '1' } } })))

const downloadSize = (ids: readonly number[], side: Side) =>
  oneAfterTheOther(ids, (id) => dataOf(api.GET('/media/{id}/download_location/{size}', { params: { path: { id, size: `${side}px` } } })))

/** One that fails doesn't keep the others from it. */
async function oneAfterTheOther(ids: readonly number[], locate: (id: number) => Promise<{ url: string }>): Promise<void> {
  const failed = new Map<number, unknown>()
  const progress = notices.progress()
  for (const [index, id] of ids.entries()) {
    if (index > 0) {
      progress.show(text.downloading(index + 1, ids.length))
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
    try {
      saveFrom((await locate(id)).url)
    } catch (error) {
      failed.set(id, error)
    }
  }
  progress.end()
  tellFailures(failed)
}
