import { label, type Middleware } from '../protocol/exchange.ts'

const headers = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}
/** The content security policy of answers that are no page. */
const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'"

/** Labels answers below a secret address: no site learns it, no robot lists it, and no answer but the page runs as one. */
export function unlisted(): Middleware {
  const add: Middleware['after'] = ({ response }) => {
    if (!response) return
    const policy = response.headers?.['Content-Security-Policy'] ?? NOTHING_RUNS
    label(response, { ...headers, 'Content-Security-Policy': String(policy) })
  }
  return { after: add, onError: add }
}
