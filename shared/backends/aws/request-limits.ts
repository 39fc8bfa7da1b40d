/**
 * Time limits of requests to AWS, as options for the SDK's clients. The SDK's defaults are minutes, longer than most functions run, so a
 * function would time out before it retries an unanswered request.
 *
 * @param answer milliseconds until the answer begins
 * @param pause longest pause while bytes are transferred, in milliseconds
 */
export function requestLimits(answer: number, pause?: number) {
  return { connectionTimeout: 1000, requestTimeout: answer, throwOnRequestTimeout: true, ...(pause && { socketTimeout: pause }) }
}

/** For single requests that may take longer than the client's others: 60 s until the answer begins, three attempts. */
export const longRequest = { requestTimeout: 60_000 }
