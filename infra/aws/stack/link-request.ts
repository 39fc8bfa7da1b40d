import {
  type EdgeEvent,
  type EdgeRequest,
  type EdgeResponse,
  handleLinkEvent,
  type Origins,
} from '../../../shared/http/protocol/link-request.ts'

// link-request-code.ts puts both at the top of what is deployed: CloudFront's module of functions, and the sizes that others are rounded up to.
declare const cf: Origins
declare const SIZE_STEPS: readonly number[]

/** CloudFront calls it for both events of every request to the host of links. */
export function handler(event: EdgeEvent): EdgeRequest | EdgeResponse {
  return handleLinkEvent(event, cf, SIZE_STEPS)
}
