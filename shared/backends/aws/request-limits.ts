/**
 * Time limits of requests to AWS, as the SDK's clients take them. Its own are minutes, longer than most functions run: a request that
 * nobody answers would end with its function instead of being repeated.
 *
 * @param answer milliseconds until the answer begins
 * @param pause longest pause while bytes are on their way, in milliseconds
 */
export function requestLimits(answer: number, pause?: number) {
  return { connectionTimeout: 1000, requestTimeout: answer, throwOnRequestTimeout: true, ...(pause && { socketTimeout: pause }) }
}

/** For single requests that may take longer than their client's others: 60 s until the answer begins, three times at most. */
export const longRequest = { requestTimeout: 60_000 }
