import { StockMissing, StockUnavailable } from '../backends/stock/port.ts'
import { NotFound, NotReady } from './errors.ts'

/** `Retry-After` in seconds. */
const RETRY_AFTER = 10

/** Maps errors of the stock library to the domain's. @throws NotReady `stock_unavailable`, NotFound */
export async function mapStockErrors<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof StockUnavailable) {
      throw new NotReady('stock_unavailable', 'The stock library does not answer at the moment. Try again in a few seconds.', RETRY_AFTER)
    }
    if (error instanceof StockMissing) throw new NotFound('media')
    throw error
  }
}
