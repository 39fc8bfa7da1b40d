import { openTestObjects, openTestTable } from '../../support/library.ts'
import { readersSuite } from './readers-suite.ts'

readersSuite('on one machine', async () => {
  const { table, clock } = openTestTable()
  return { table, uploads: openTestObjects(clock), media: openTestObjects(clock), publicFiles: openTestObjects(clock), clock }
})
