import type { Objects } from '../../backends/objects/port.ts'
import { objectKeys } from './media.ts'

/** Removes everything stored of a file: original, tags, renditions. Any number of times. */
export async function removeObjects(objects: Objects, media: { companyId: number; mediaId: number }): Promise<void> {
  await removeBelow(objects, objectKeys.prefix(media))
}

/** Removes the renditions that are stored of a file. */
export async function removeRenditions(objects: Objects, media: { companyId: number; mediaId: number }): Promise<void> {
  await removeBelow(objects, objectKeys.renditions(media))
}

async function removeBelow(objects: Objects, prefix: string): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await objects.list(prefix, { cursor })
    await objects.delete(page.objects.map(({ key }) => key))
    cursor = page.cursor
  } while (cursor)
}
