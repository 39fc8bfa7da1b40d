import type { IndexWriter } from './port.ts'

/** Where one process writes the indexes that searches read, as on one machine, or OpenSearch has its own, there is nothing to make snapshots for. */
export const noIndexWriter: IndexWriter = {
  format: 0,
  open: async () => undefined,
}
