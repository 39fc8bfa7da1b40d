/**
 * Renews a claim three times in its life, until the end of the scope (`await using`). A failed renewal doesn't stop the owner: at worst another
 * process takes over.
 * @param claimMs life of a claim, in milliseconds
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
