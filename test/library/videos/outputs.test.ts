import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ladderOf, previewOutput } from '../../../shared/library/videos/outputs.ts'
import { unknownFacts } from '../../support/encoded-video.ts'

const sizesOf = (width: number, height: number) => ladderOf({ width, height }).map((rung) => `${rung.name} ${rung.width}x${rung.height}`)

describe('the sizes of a stream', () => {
  test.each([
    [1920, 1080, ['1080p 1920x1080', '720p 1280x720', '480p 854x480', '360p 640x360', '240p 426x240']],
    [1080, 1920, ['1080p 1080x1920', '720p 720x1280', '480p 480x854', '360p 360x640', '240p 240x426']],
    [640, 480, ['480p 640x480', '360p 480x360', '240p 320x240']],
    [320, 180, ['180p 320x180']],
    [8000, 1000, ['512p 4096x512', '360p 2880x360', '240p 1920x240']],
  ])('of a video of %d x %d', (width, height, expected) => {
    assert.deepEqual(sizesOf(width, height), expected)
  })
})

test.each([
  [1920, 1080, 1280, 720],
  [1080, 1920, 1080, 1920],
  [641, 361, 640, 360],
  [3840, 1600, 1280, 534],
])('the preview of a video of %d x %d has %d x %d', (width, height, ...expected) => {
  const preview = previewOutput({ width, height }, unknownFacts, 'key')
  assert.deepEqual([preview.width, preview.height], expected)
  assert.ok(preview.maxBitsPerSecond <= 3_500_000)
})
