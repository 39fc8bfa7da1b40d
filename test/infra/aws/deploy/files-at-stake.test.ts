import assert from 'node:assert/strict'
import { onTestFinished, test, vi } from 'vitest'
import { filesAtStake } from '../../../../infra/aws/deploy/files-at-stake.ts'
import { SNAPSHOTS } from '../../../../shared/library/index-snapshots/record.ts'
import { GENERIC_THUMBNAIL_KEY } from '../../../../shared/library/media/delivery.ts'
import { type Answer, answering } from '../../../support/answering.ts'

const listing =
  (...keys: string[]): Answer =>
  (response) =>
    response.end(
      `<ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('')}</ListBucketResult>`,
    )

test('a stack is destroyed without a question where files stay, or there are none of users', async () => {
  const made = [GENERIC_THUMBNAIL_KEY, `${SNAPSHOTS}1/a`]
  const { endpoint } = await answering(listing(...made), listing(...made, '1/7/original'))
  const environment = { AWS_ENDPOINT_URL: endpoint, AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const outputs = new Map([['MediaBucket', 'media']])
  assert.equal(await filesAtStake(new Map([...outputs, ['FilesStay', 'true']])), false)
  assert.equal(await filesAtStake(new Map()), false)
  assert.equal(await filesAtStake(outputs), false)
  assert.equal(await filesAtStake(outputs), true)
})
