// CloudFront function (runtime 2.0) on every request to the console; infra/aws/stack/console-delivery.ts deploys it.
// Addresses within the console are made by its script, so all of them are the one page. Files are named by their contents, below /assets/.
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name.
function handler(event) {
  const request = event.request
  if (request.uri === '/console') {
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: '/console/' } } }
  }
  request.uri = request.uri.indexOf('/console/assets/') === 0 ? request.uri.slice('/console'.length) : '/index.html'
  return request
}
