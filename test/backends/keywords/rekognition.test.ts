import assert from 'node:assert/strict'
import { describe, onTestFinished, test } from 'vitest'
import { PictureRefused, SuggesterUnavailable } from '../../../shared/backends/keywords/port.ts'
import { rekognition, rekognitionClient } from '../../../shared/backends/keywords/rekognition.ts'
import { type Answer, answering, clientOf, never } from '../../support/answering.ts'
import { plain } from '../../support/hostile-answers.ts'

const json = (body: object, status = 200) => plain(status, 'application/x-amz-json-1.1', JSON.stringify(body))
const refusal = (name: string) => json({ __type: name, Message: 'because' }, 400)

/** Rekognition, which gives one answer after the other, the last one again and again. */
async function service(...answers: Answer[]) {
  const { endpoint, received } = await answering(...answers)
  const client = rekognitionClient(clientOf(endpoint))
  onTestFinished(() => client.destroy())
  return { suggester: rekognition({ bucket: 'media', client }), received }
}

describe('Rekognition', () => {
  test('is asked for twenty labels from 80 percent of an object in the bucket', async () => {
    const { suggester, received } = await service(json({ Labels: [{ Name: 'Boat', Confidence: 98.5, Parents: [{ Name: 'Vehicle' }] }] }))
    assert.deepEqual(await suggester.suggest({ key: '7/8/renditions/1200x800' }), [{ keyword: 'Boat', confidence: 98.5 }])
    const [{ authorization, body }] = received as [(typeof received)[number]]
    assert.match(authorization, /\/eu-west-1\/rekognition\/aws4_request/)
    assert.deepEqual(JSON.parse(body), {
      Image: { S3Object: { Bucket: 'media', Name: '7/8/renditions/1200x800' } },
      MaxLabels: 20,
      MinConfidence: 80,
    })
  })

  test('is asked nothing where the region lacks it, so that no job fails', async () => {
    const { endpoint, received } = await answering(json({ Labels: [] }))
    const client = rekognitionClient(clientOf(endpoint, 'eu-north-1'))
    onTestFinished(() => client.destroy())
    assert.equal(await rekognition({ bucket: 'media', client }).suggest({ key: 'a' }), undefined)
    assert.deepEqual(received, [])
  })

  test.each(['InvalidImageFormatException', 'ImageTooLargeException', 'InvalidParameterException'])(
    'refuses a picture by %s, once',
    async (name) => {
      const { suggester, received } = await service(refusal(name))
      await assert.rejects(suggester.suggest({ key: 'a' }), PictureRefused)
      assert.equal(received.length, 1)
    },
  )

  test.each<[what: string, answer: Answer]>([
    ['an object that it cannot read', refusal('InvalidS3ObjectException')],
    ['too many requests', refusal('ThrottlingException')],
    ['no answer', never],
  ])('%s may pass', async (_, answer) => {
    const { suggester } = await service(answer)
    await assert.rejects(suggester.suggest({ key: 'a' }), SuggesterUnavailable)
  })
})
