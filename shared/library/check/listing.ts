import type { ObjectEntry, ObjectReader } from '../../backends/objects/port.ts'

/** All objects whose key starts with a prefix, in order of key bytes. */
export async function* listAll(objects: ObjectReader, prefix: string): AsyncGenerator<ObjectEntry> {
  let cursor: string | undefined
  do {
    const page = await objects.list(prefix, { cursor })
    yield* page.objects
    cursor = page.cursor
  } while (cursor)
}
