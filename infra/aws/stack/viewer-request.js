// CloudFront function (runtime 2.0) on every request to the API's host; infra/aws/stack/delivery.ts deploys it.
// It tells functions the client's address and the host that the client asked, in headers that it overwrites.
// It removes a trailing slash, because the gateway's paths have none, and makes one of several slashes in a row: clients join a base
// URL that ends in a slash with paths that begin with one.
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name.
function handler(event) {
  const request = event.request
  request.headers['x-viewer-host'] = { value: request.headers.host.value }
  request.headers['x-viewer-address'] = { value: event.viewer.ip }
  // The gateway decodes base64 answers only for requests with an Accept header.
  if (!request.headers.accept) request.headers.accept = { value: '*/*' }
  request.uri = request.uri.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  return request
}
