import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@opensearch-project/opensearch'
import { onTestFinished, test } from 'vitest'
import { explainStackFailure } from '../../../../infra/aws/library/stack-failure.ts'
import { openSearchAdmin } from '../../../../shared/backends/search/opensearch/admin.ts'
import { runCommand, temporaryLibrary } from '../run-command.ts'

const directory = await temporaryLibrary()

test('on one machine the commands for the index say that there is nothing to do, and how to have the indexes built again', async () => {
  const { code, error } = await runCommand(directory, ['search', 'rebuild'])
  assert.equal(code, 1)
  assert.match(error, /Each search brings the indexes in .*search up to date\. Stop the server and remove that folder to rebuild them\./)
})

for (const [what, status, sentence] of [
  ['that refuses the credentials', 403, /^The search engine refuses these AWS credentials\. .*searchAdminArn.*aoss:APIAccessAll/],
  ['that has no capacity in time', 503, /^The search engine did not answer in time: .*Give the command again/],
  ['without an index', 404, /^There is no search index yet\. The command "search rebuild" makes it\.$/],
] as const) {
  test(`a search engine ${what} is told of in a sentence`, async () => {
    const server = createServer((_, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end('{}')).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    const client = new Client({ node: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, maxRetries: 0 })
    onTestFinished(async () => {
      await client.close()
      server.close()
    })
    const error = await openSearchAdmin({ client, maxWaitMs: 300 })
      .list(undefined)
      .catch((cause: unknown) => explainStackFailure(cause))
    assert.ok(error instanceof Error)
    assert.match(error.message, sentence)
  })
}
