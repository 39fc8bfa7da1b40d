import { defaultSettings } from '../../shared/settings.ts'
import { openTestObjects, openTestTable } from './library.ts'

/** A table with the buckets of an import, for one test. */
export async function openImportStores() {
  const { table, clock, by } = openTestTable()
  return { table, uploads: openTestObjects(clock), media: openTestObjects(clock), clock, by, settings: defaultSettings }
}
