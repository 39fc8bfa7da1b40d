import assert from 'node:assert/strict'
import { describe, onTestFinished, test } from 'vitest'
import { mediaConvert, mediaConvertClient } from '../../../shared/backends/transcoder/mediaconvert.ts'
import { JobRefused, TranscoderUnavailable, type TranscodingJob } from '../../../shared/backends/transcoder/port.ts'
import { toCompanyId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { ONLY_SOUND, type Rung, type StreamOutput } from '../../../shared/vocabulary/video.ts'
import { type Answer, answering, breaking, clientOf, never, type Received } from '../../support/answering.ts'

const json = (status: number, body: object, headers = {}): Answer => {
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
const refusal = (status: number, name: string) => json(status, { message: 'because' }, { 'x-amzn-errortype': name })

const found = (...jobs: object[]) => json(200, { jobs })
const created = json(201, { job: { id: '1-new' } })

const queueArn = 'arn:aws:mediaconvert:eu-west-1:1:queues/Jobs'

/** MediaConvert, which gives one answer after the other, the last one again and again. */
async function service(...answers: Answer[]) {
  const { endpoint, received } = await answering(...answers)
  const client = mediaConvertClient(clientOf(endpoint))
  onTestFinished(() => client.destroy())
  const place = { queueArn, roleArn: 'arn:aws:iam::1:role/jobs', mediaBucket: 'media', publicBucket: 'public' }
  return { transcoder: mediaConvert({ ...place, client }), received }
}

/** `GET /path`. */
const operationOf = ({ method, url }: Received) => `${method} ${url.split('?')[0]}`

const job: TranscodingJob = {
  token: 'a1',
  companyId: toCompanyId(7),
  mediaId: toMediaId(8),
  source: {
    key: '7/8/original',
    mime: 'video/mp4',
    width: 1280,
    height: 720,
    facts: { seconds: 3, frameRate: 25, videoCodec: 'h264', audioCodec: 'aac', hasAudio: true, isHdr: false },
  },
  output: { kind: 'preview', key: '7/8/video/a1/preview.mp4', width: 1280, height: 720, maxBitsPerSecond: 3_500_000 },
}

describe('what is sent to MediaConvert', () => {
  test('black after the pictures of a stream whose sound goes on, and of no other', async () => {
    const stream: StreamOutput = {
      kind: 'stream',
      prefix: 'streams/a1/',
      rungs: [{ ...job.output, name: '720p' } as Rung],
      sounds: [ONLY_SOUND],
    }
    for (const [output, padVideo] of [
      [{ ...stream, stillSeconds: 4 }, 'BLACK'],
      [stream, undefined],
      [job.output, undefined],
    ] as const) {
      const { transcoder, received } = await service(found(), created)
      await transcoder.start({ ...job, output })
      const [input] = JSON.parse(received.at(-1)!.body).settings.inputs
      assert.deepEqual(input.videoSelector, { rotate: 'AUTO', ...(padVideo && { padVideo }) })
    }
  })

  test('a job, in the queue, with its token and what is told back', async () => {
    const { transcoder, received } = await service(found(), created)
    assert.equal(await transcoder.start(job), '1-new')
    const [search, create] = received as [Received, Received]
    assert.equal(operationOf(search), 'GET /2017-08-29/search')
    const { searchParams } = new URL(search.url, 'http://mediaconvert')
    assert.deepEqual([searchParams.get('inputFile'), searchParams.get('queue')], ['s3://media/7/8/original', queueArn])
    assert.equal(operationOf(create), 'POST /2017-08-29/jobs')
    assert.match(create.authorization, /\/eu-west-1\/mediaconvert\/aws4_request/)
    const { clientRequestToken, queue, role, userMetadata, settings } = JSON.parse(create.body)
    assert.deepEqual(
      { clientRequestToken, queue, role, userMetadata },
      { clientRequestToken: 'a1', queue: queueArn, role: 'arn:aws:iam::1:role/jobs', userMetadata: { companyId: '7', mediaId: '8' } },
    )
    assert.equal(settings.inputs[0].fileInput, 's3://media/7/8/original')
  })

  test('no second job for a token that one has, however long ago it was started', async () => {
    const others = [{ id: '1-other', clientRequestToken: 'b2' }, { id: '1-none' }, { id: '1-same', clientRequestToken: 'a1' }]
    const { transcoder, received } = await service(found(...others))
    assert.equal(await transcoder.start(job), '1-same')
    assert.equal(received.length, 1)
  })

  test('nothing, where MediaConvert has no such size', async () => {
    const { transcoder, received } = await service(found())
    const output = { ...job.output, width: 2560, height: 30 }
    await assert.rejects(transcoder.start({ ...job, output }), JobRefused)
    assert.equal(received.length, 0)
  })
})

describe('what MediaConvert answers', () => {
  test.each([
    ['SUBMITTED', { state: 'running' }],
    ['PROGRESSING', { state: 'running' }],
    ['COMPLETE', { state: 'done' }],
    ['CANCELED', { state: 'failed', reason: 'the job was cancelled' }],
  ])('a job that is %s', async (status, expected) => {
    const { transcoder, received } = await service(json(200, { job: { id: '1-a', status } }))
    assert.deepEqual(await transcoder.stateOf('1-a'), expected)
    assert.equal(operationOf(received[0]!), 'GET /2017-08-29/jobs/1-a')
  })

  test('a job with an error: failed, and the operator learns why', async () => {
    const { transcoder } = await service(json(200, { job: { status: 'ERROR', errorCode: 1010, errorMessage: 'Unable to open' } }))
    const state = await transcoder.stateOf('1-a')
    assert.ok(state.state === 'failed')
    assert.match(state.reason, /1010.*Unable to open/)
  })

  test('that it knows no such job, or that the id is none of its: gone, and nothing to cancel', async () => {
    for (const answer of [refusal(404, 'NotFoundException'), refusal(400, 'BadRequestException')]) {
      const { transcoder } = await service(answer)
      assert.deepEqual(await transcoder.stateOf('1-a'), { state: 'gone' })
      await transcoder.cancel('1-a')
    }
  })

  test('that the request is bad: the job can never run', async () => {
    const { transcoder, received } = await service(found(), refusal(400, 'BadRequestException'))
    await assert.rejects(transcoder.start(job), (error) => error instanceof JobRefused && /because/.test(error.message))
    assert.equal(received.length, 2)
  })

  test('an answer that is lost: the same job again, with its token', async () => {
    for (const lost of [breaking, json(503, {})]) {
      const { transcoder, received } = await service(found(), lost, created)
      assert.equal(await transcoder.start(job), '1-new')
      assert.equal(received.length, 3)
      assert.equal(received[1]!.body, received[2]!.body)
    }
  })

  test.each([
    ['nothing', never],
    ['an error of its own', json(500, { message: 'oops' }, { 'x-amzn-errortype': 'InternalServerErrorException' })],
    ['that requests come too fast', refusal(429, 'TooManyRequestsException')],
    ['that there are too many jobs', refusal(402, 'ServiceQuotaExceededException')],
    ['that it may not', refusal(403, 'ForbiddenException')],
  ])('%s: unavailable', async (_, answer) => {
    const { transcoder } = await service(answer)
    await assert.rejects(transcoder.start(job), TranscoderUnavailable)
    await assert.rejects(transcoder.stateOf('1-a'), TranscoderUnavailable)
    await assert.rejects(transcoder.cancel('1-a'), TranscoderUnavailable)
  })
})
