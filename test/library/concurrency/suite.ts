import { afterAll, beforeAll, describe } from 'vitest'
import { eventScenarios } from './events.ts'
import { fileScenarios } from './files.ts'
import { folderScenarios } from './folders.ts'
import { SharedLibrary, type SharedTable } from './shared-library.ts'

/**
 * What must hold when several processes change one library at the same time, over whatever table: no update is lost, no cycle is made,
 * nothing is left behind. Each scenario ends with a look at all that is stored.
 */
export function concurrencySuite(name: string, openTable: () => Promise<SharedTable>): void {
  describe(name, () => {
    let library: SharedLibrary
    beforeAll(async () => {
      library = await SharedLibrary.start(await openTable())
    })
    afterAll(() => library?.close())
    folderScenarios(() => library)
    fileScenarios(() => library)
    eventScenarios(() => library)
  })
}
