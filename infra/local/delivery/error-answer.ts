import type { DeliveryAnswer } from './object-answer.ts'

/** An error in the service's shape, which nobody keeps. */
export function errorAnswer(
  status: number,
  requestId: string,
  { code, message }: { code: string; message: string },
  headers: Record<string, string> = {},
): DeliveryAnswer {
  const body = JSON.stringify({ message, code, request_id: requestId })
  const length = String(Buffer.byteLength(body))
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': length, 'cache-control': 'no-store' },
    body,
  }
}
