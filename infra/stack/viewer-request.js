// CloudFront function (runtime 2.0) on every request to the API's host; infra/stack/delivery.ts deploys it.
// It tells the functions behind it who asks and under which host: whatever a client put into these headers is overwritten.
// A trailing slash is taken off, because the gateway's paths have none, and several in a row are one: clients join a base
// URL that ends in a slash with paths that begin with one.
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name.
function handler(event) {
  const request = event.request
  request.headers['x-viewer-host'] = { value: request.headers.host.value }
  request.headers['x-viewer-address'] = { value: event.viewer.ip }
  // The gateway decodes an answer of bytes for whoever accepts something.
  if (!request.headers.accept) request.headers.accept = { value: '*/*' }
  request.uri = request.uri.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  return request
}
