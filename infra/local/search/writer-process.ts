import '../../umask.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { embeddedSearch } from '../../../shared/backends/search/embedded.ts'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { documentFeed } from '../../../shared/library/media/search-feed.ts'
import { lowerPriority } from '../../../shared/tools/processes/priority.ts'
import { toSentError, type WriterAnswer, type WriterOrder, type WriterSetup } from './messages.ts'
import { SEARCH_PRIORITY } from './priority.ts'

/** The process that keeps the search indexes of a data folder up to date. It alone writes them. */
lowerPriority(SEARCH_PRIORITY)
const setup: WriterSetup = JSON.parse(process.argv[2] ?? '')
let offset = 0
const clock = { ...systemClock, now: () => Date.now() + offset }
const table = openEmbeddedTable(setup.table)
const engine = embeddedSearch({ directory: setup.directory, feed: documentFeed({ table, clock }) })

// What is wrong with a file is found by the next search.
const idle = setTimeout(() => void engine.mergeWorn().catch(() => undefined), setup.mergeAfter)

process.on('message', async (order: WriterOrder) => {
  offset = order.now - Date.now()
  const answer = await answerTo(order)
  idle.refresh()
  // A server that has gone meanwhile needs no answer.
  process.send?.(answer, () => undefined)
})
process.once('disconnect', async () => {
  await engine.close()
  table.close()
  process.exit()
})
// The server decides when the writer ends; the terminal's Ctrl-C goes to it alone.
process.on('SIGINT', () => undefined)

async function answerTo({ id, companyId, damaged }: WriterOrder): Promise<WriterAnswer> {
  try {
    return { id, ...(await engine.upToDate(companyId, damaged)) }
  } catch (error) {
    return { id, error: toSentError(error) }
  }
}
