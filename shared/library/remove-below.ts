import type { Objects } from '../backends/objects/port.ts'

/** Removes all objects whose key starts with a prefix. Idempotent. */
export async function removeBelow(objects: Pick<Objects, 'list' | 'delete'>, prefix: string): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await objects.list(prefix, { cursor })
    if (page.objects.length > 0) await objects.delete(page.objects.map(({ key }) => key))
    cursor = page.cursor
  } while (cursor)
}
