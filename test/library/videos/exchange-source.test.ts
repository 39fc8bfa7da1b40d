import assert from 'node:assert/strict'
import { test } from 'vitest'
import { streamInvalidationKey } from '../../../shared/library/links/invalidation.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { isPending, previewOf } from '../../../shared/library/videos/video.ts'
import { toStoredId } from '../../../shared/vocabulary/ids.ts'
import { PLAYLIST } from '../../../shared/vocabulary/video.ts'
import { REQUEST, setUp } from './set-up.ts'

const SECOND = toStoredId('second')
const QUARTER = 900

test('the preview is made anew of other bytes; readers of these find none until then', async () => {
  const { withPreview, exchangeFile, advance, read, transcoder, storedOf, clock } = await setUp()
  const { mediaId, preview: first } = await withPreview()
  await exchangeFile(mediaId, SECOND)
  assert.equal(previewOf(await read(mediaId), { stored: SECOND }), undefined, 'before the job has run')
  await advance(mediaId)
  await advance(mediaId)
  assert.equal(previewOf(await read(mediaId), { stored: SECOND })?.state, 'encoding')
  assert.match(transcoder.job('preview').source.key, /\/files\/second\/original$/)
  await transcoder.finish(transcoder.job('preview'))
  await advance(mediaId)
  const { preview } = await read(mediaId)
  assert.deepEqual([preview.state, preview.stored, preview.encodingId === first.encodingId], ['available', SECOND, false])
  clock.advance(QUARTER)
  await advance(mediaId)
  const names = await storedOf(await read(mediaId))
  assert.deepEqual([...new Set(names.map((name) => name.split('/')[1]))], [preview.encodingId])
})

test('a stream plays until that of the new bytes is there, and its files a quarter of an hour longer; then edges forget it', async () => {
  const { withStream, exchangeFile, advance, read, transcoder, publicFiles, table, clock } = await setUp()
  const { mediaId, stream: first } = await withStream()
  await exchangeFile(mediaId, SECOND)
  await advance(mediaId)
  await advance(mediaId)
  const during = await read(mediaId)
  assert.deepEqual([during.stream, during.nextStream?.state, during.nextStream?.requester], [first, 'encoding', REQUEST.requester])
  await transcoder.finish(transcoder.job('preview'))
  await transcoder.finish(transcoder.job('stream'))
  const again = await advance(mediaId)
  const { stream, nextStream } = await read(mediaId)
  assert.deepEqual([stream?.state, stream?.stored, nextStream], ['available', SECOND, undefined])
  assert.ok(await publicFiles.head(`${videoObjects.stream(stream!.encodingId)}${PLAYLIST}`))
  const isThere = async () => (await publicFiles.list(videoObjects.stream(first.encodingId), { limit: 1 })).objects.length > 0
  assert.deepEqual([again, await isThere(), await table.get(streamInvalidationKey(first.encodingId))], [QUARTER, true, undefined])
  clock.advance(QUARTER)
  await advance(mediaId)
  assert.equal(await isThere(), false)
  assert.ok(await table.get(streamInvalidationKey(first.encodingId)))
  assert.equal(await advance(mediaId), undefined)
})

test('edges forget a stream that was replaced just before its file was deleted', async () => {
  const { withStream, exchangeFile, advance, find, read, removeFile, transcoder, publicNames, table } = await setUp()
  const { mediaId, stream: first } = await withStream()
  await exchangeFile(mediaId, SECOND)
  await advance(mediaId)
  await advance(mediaId)
  await transcoder.finish(transcoder.job('preview'))
  await transcoder.finish(transcoder.job('stream'))
  await advance(mediaId)
  const { stream } = await read(mediaId)
  await removeFile(mediaId)
  await advance(mediaId)
  assert.deepEqual([await find(mediaId), await publicNames()], [undefined, []])
  for (const { encodingId } of [first, stream!]) assert.ok(await table.get(streamInvalidationKey(encodingId)), encodingId)
})

test('going back before the new stream is there keeps the stream', async () => {
  const { withStream, exchangeFile, advance, read, transcoder } = await setUp()
  const { mediaId, stream: first } = await withStream()
  await exchangeFile(mediaId, SECOND)
  await advance(mediaId)
  await advance(mediaId)
  const unwanted = transcoder.jobs.filter(({ state }) => state.state === 'running').map(({ id }) => id)
  await exchangeFile(mediaId, undefined)
  await advance(mediaId)
  const { stream, nextStream, preview } = await read(mediaId)
  assert.deepEqual([stream, nextStream, preview.stored], [first, undefined, undefined])
  assert.deepEqual([unwanted.length, transcoder.cancelled.toSorted()], [2, unwanted.toSorted()])
})

test('a stream that was not made yet is made of the new bytes', async () => {
  const { withPreview, askForStream, exchangeFile, advance, read } = await setUp()
  const { mediaId } = await withPreview()
  await askForStream(mediaId)
  await advance(mediaId)
  await exchangeFile(mediaId, SECOND)
  await advance(mediaId)
  const { stream, nextStream } = await read(mediaId)
  assert.deepEqual([stream?.stored, isPending(stream!), nextStream], [SECOND, true, undefined])
})

test('where no stream could be made of the new bytes the former one stays', async () => {
  const { withStream, exchangeFile, advance, read, transcoder, publicFiles } = await setUp()
  const { mediaId, stream: first } = await withStream()
  await exchangeFile(mediaId, SECOND)
  await advance(mediaId)
  await advance(mediaId)
  transcoder.fail(transcoder.job('stream'), 'broken')
  await advance(mediaId)
  const { stream, nextStream } = await read(mediaId)
  assert.deepEqual([stream, nextStream?.state], [first, 'failed'])
  assert.ok(await publicFiles.head(`${videoObjects.stream(first.encodingId)}${PLAYLIST}`))
})
