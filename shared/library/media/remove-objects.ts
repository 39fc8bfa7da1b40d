import type { Objects } from '../../backends/objects/port.ts'
import { objectKeys } from './media.ts'

/** Removes everything stored of a file: original, tags, renditions. Any number of times. */
export async function removeObjects(objects: Objects, media: { companyId: number; mediaId: number }): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await objects.list(objectKeys.prefix(media), { cursor })
    await objects.delete(page.objects.map(({ key }) => key))
    cursor = page.cursor
  } while (cursor)
}
