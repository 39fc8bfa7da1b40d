import type { Objects } from '../../backends/objects/port.ts'
import { type MediaRecord, objectKeys } from './media.ts'

/** Removes everything stored of a file: original, tags, renditions. Any number of times. */
export async function removeObjects(library: { media: Objects }, file: Pick<MediaRecord, 'companyId' | 'mediaId'>): Promise<void> {
  await removeBelow(library, objectKeys.prefix(file))
}

/** Removes the renditions that are stored of a file. */
export async function removeRenditions(library: { media: Objects }, file: Pick<MediaRecord, 'companyId' | 'mediaId'>): Promise<void> {
  await removeBelow(library, objectKeys.renditions(file))
}

async function removeBelow({ media: objects }: { media: Objects }, prefix: string): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await objects.list(prefix, { cursor })
    await objects.delete(page.objects.map(({ key }) => key))
    cursor = page.cursor
  } while (cursor)
}
