import type { Messages } from '../../../vocabulary/messages.ts'
import type { QueueSender } from '../../queue/port.ts'
import type { IndexWriter } from './port.ts'

/*
 * On one machine one process writes the indexes, where searches read them, and OpenSearch has its own: there is nothing to make snapshots for.
 */

/** Drops requests for snapshots: OpenSearch is told of every change. */
export const noSnapshotQueue: QueueSender<Messages['snapshots']> = {
  async send() {},
  async sendMany() {},
}

/** Makes none. */
export const noIndexWriter: IndexWriter = {
  format: 0,
  async open(companyId) {
    throw new Error(`on one machine the index of company ${companyId} has no snapshots`)
  },
}
