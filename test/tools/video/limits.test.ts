import assert from 'node:assert/strict'
import { test } from 'vitest'
import { limitsOf } from '../../../shared/tools/video/limits.ts'
import { unknownFacts } from '../../support/encoded-video.ts'

const output = { kind: 'preview', key: 'a.mp4', width: 640, height: 360, maxBitsPerSecond: 1_000_000 } as const

/** Of one processor, on a machine that has two. */
const secondsFor = (width: number, height: number, seconds: number | null, frameRate = 60) =>
  limitsOf({ key: 'a', mime: 'video/mp4', width, height, facts: { ...unknownFacts, seconds, frameRate } }, output).time.processor / 2_000

test('an encode gets ten times the duration of its video and five minutes at most, where its frames are no larger than 1080p', () => {
  assert.equal(secondsFor(1_920, 1_080, 3_600), 300 + 36_000)
})

test('one of larger frames gets more by their pixels, forty times the duration at most', () => {
  assert.equal(secondsFor(3_840, 2_160, 60, 30), 300 + 20 * 60)
  assert.equal(secondsFor(3_840, 2_160, 60), 300 + 40 * 60)
  assert.equal(secondsFor(7_680, 4_320, 60), 300 + 40 * 60)
  assert.equal(secondsFor(7_680, 4_320, 3_600, 1), 60 + (3_600 * (7_680 * 4_320 + 640 * 360)) / (1_920 * 1_080 * 3))
})

test('one of small frames gets what a slow machine takes', () => {
  assert.ok(secondsFor(320, 180, 600) < 60 + 10 * 600)
})

test('one that tells no duration gets a day', () => {
  assert.equal(secondsFor(7_680, 4_320, null), 24 * 3_600)
})
