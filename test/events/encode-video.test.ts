import assert from 'node:assert/strict'
import { test } from 'vitest'
import { encodeVideo } from '../../functions/events/encode-video.ts'
import type { SendOptions } from '../../shared/backends/queue/port.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { CATALOGUE } from '../../shared/vocabulary/ids.ts'
import { companyGroup, type Messages } from '../../shared/vocabulary/messages.ts'
import { setUp } from '../library/encodings/set-up.ts'

type Message = Messages['encodings']

/** What handles messages, with what it sends. */
async function consumer() {
  const world = await setUp()
  const { library } = world
  const sent: [message: object, options?: SendOptions][] = []
  const send = async (...message: (typeof sent)[number]) => void sent.push(message)
  const settings = { ...defaultSettings, cdnUrl: '', playerUrl: '' }
  const by = { kind: 'job', job: 'encode-video', run: 'test' } as const
  const encodings = { send, sendMany: async () => undefined }
  const handle = (message: Message, receives = 1) =>
    encodeVideo.handle({ ...library, settings, by, message, receives, lastTry: false, encodings })
  return { ...world, sent, handle }
}

test('a message of the service and an event of MediaConvert start the same', async () => {
  const { video, transcoder, read, handle } = await consumer()
  const { companyId, mediaId } = await video()
  await handle({ companyId, mediaId })
  assert.equal((await read(mediaId)).preview.state, 'encoding')
  await transcoder.finish(transcoder.job('preview'))
  const userMetadata = { companyId: String(companyId), mediaId: String(mediaId) }
  // What the event says of the job is not believed.
  const event = { 'detail-type': 'MediaConvert Job State Change', detail: { status: 'ERROR', userMetadata } } as const
  for (let times = 0; times < 2; times += 1) await handle(event)
  assert.equal((await read(mediaId)).preview.state, 'available')
})

test('videos of the stock catalogue, which belongs to company 0, are encoded, too', async () => {
  const { video, transcoder, read, handle } = await consumer()
  const { companyId, mediaId } = await video({ companyId: CATALOGUE })
  await handle({ companyId, mediaId })
  await transcoder.finish(transcoder.job('preview'))
  const userMetadata = { companyId: '0', mediaId: String(mediaId) }
  await handle({ 'detail-type': 'MediaConvert Job State Change', detail: { status: 'COMPLETE', userMetadata } })
  assert.equal((await read(mediaId)).preview.state, 'available')
})

test('a transcoder that is down is asked again after a minute', async () => {
  const { video, transcoder, handle, sent } = await consumer()
  const { companyId, mediaId } = await video()
  transcoder.isDown = true
  await handle({ companyId, mediaId })
  assert.deepEqual(sent, [
    [
      { companyId, mediaId },
      { delaySeconds: 60, group: companyGroup(companyId) },
    ],
  ])
})

test('an event that a job has ended, of which the transcoder does not know yet, makes it asked once more', async () => {
  const { video, handle, sent } = await consumer()
  const { companyId, mediaId } = await video()
  await handle({ companyId, mediaId })
  const userMetadata = { companyId: String(companyId), mediaId: String(mediaId) }
  await handle({ 'detail-type': 'MediaConvert Job State Change', detail: { status: 'COMPLETE', userMetadata } })
  const again = { companyId, mediaId }
  assert.deepEqual(sent, [[again, { delaySeconds: 60, group: companyGroup(companyId) }]])
  await handle(again)
  assert.equal(sent.length, 1)
})

test.each<[string, Message]>([
  ['of nothing known', JSON.parse('{"hello":1}')],
  ['that is none', JSON.parse('"text"')],
  ['of a job of somebody else', JSON.parse('{"detail":{"status":"COMPLETE","userMetadata":{}}}')],
  ['with an id that is none', JSON.parse('{"companyId":1,"mediaId":"1; DROP"}')],
  ['without a company', JSON.parse('{"companyId":null,"mediaId":1}')],
])('a message %s is noted, and does nothing', async (_, message) => {
  const { handle, lines, sent } = await consumer()
  await handle(message)
  assert.deepEqual([lines.length, sent], [1, []])
})
