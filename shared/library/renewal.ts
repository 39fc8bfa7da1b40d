/**
 * Renews a claim three times in its life, until it leaves this scope: `await using`. Where it can't be renewed its owner goes on: at worst
 * another one takes over.
 * @param claimMs how long a claim holds, in milliseconds
 */
export function renewing(claimMs: number, renew: () => Promise<unknown>): AsyncDisposable {
  let last: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    last = renew().catch(() => undefined)
  }, claimMs / 3)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await last
    },
  }
}
