import assert from 'node:assert/strict'
import { combineCrc32 } from '../../../shared/crc32.ts'
import type { ObjectPlan, PartRules, PlannedPart, Segment } from '../../../shared/tools/archive/plan.ts'

/** How a plan is carried out, in numbers. */
export interface Work {
  /** Parts of all objects. */
  parts: number
  /** Names of the objects that are composed, the archive among them. */
  objects: Set<string>
  /** Bytes that the caller puts together. */
  throughCaller: number
}

export function noWork(): Work {
  return { parts: 0, objects: new Set(), throughCaller: 0 }
}

interface Storage {
  rules: PartRules
  /** Size of a source object. */
  sizeOf(key: string): number
  /** CRC-32 of a piece of what is composed. */
  crcOf(segment: Segment): number
}

/** All that an object is composed of, in order. Holds every part to the rules, and every object to the size and CRC-32 of its plan. */
export function* segmentsOf(plan: ObjectPlan, storage: Storage, work = noWork()): Generator<Segment> {
  const { rules } = storage
  assert.ok(!work.objects.has(plan.name), `two objects are called ${plan.name}`)
  work.objects.add(plan.name)
  const whole = { bytes: 0, crc32: 0 }
  let [parts, previous]: [number, PlannedPart | undefined] = [0, undefined]
  for (const part of plan.parts()) {
    parts += 1
    if (previous) assert.ok(previous.bytes >= rules.minBytes, `${plan.name}: part ${parts - 1} is too small`)
    assert.ok(part.bytes > 0 && part.bytes <= rules.maxBytes, `${plan.name}: a part of ${part.bytes} bytes`)
    let bytes = 0
    for (const segment of piecesOf(part, previous, storage, work)) {
      const size = sizeOf(segment)
      bytes += size
      whole.crc32 = combineCrc32(whole.crc32, storage.crcOf(segment), size)
      yield segment
    }
    if (!('object' in part)) assert.equal(bytes, part.bytes)
    whole.bytes += part.bytes
    previous = part
  }
  assert.ok(parts <= rules.maxParts, `${plan.name}: ${parts} parts`)
  if (previous && 'object' in previous) assert.equal(previous.end, previous.object.bytes - 1)
  assert.deepEqual(whole, { bytes: plan.bytes, crc32: plan.crc32 }, plan.name)
  work.parts += parts
}

function* piecesOf(part: PlannedPart, previous: PlannedPart | undefined, storage: Storage, work: Work): Generator<Segment> {
  const before = previous && 'object' in previous ? previous : undefined
  if ('object' in part && part.start > 0) {
    assert.deepEqual([before?.object.name, before && before.end + 1], [part.object.name, part.start])
    assertRange(part, part.object.bytes, storage.rules)
    return
  }
  if (before) assert.equal(before.end, before.object.bytes - 1, `${before.object.name} isn't used whole`)
  if ('object' in part) {
    assertRange(part, part.object.bytes, storage.rules)
    yield* segmentsOf(part.object, storage, work)
  } else if ('copy' in part) {
    assertRange(part.copy, storage.sizeOf(part.copy.key), storage.rules)
    assert.equal(part.bytes, sizeOf(part.copy))
    yield part.copy
  } else {
    work.throughCaller += part.bytes
    for (const segment of part.segments) {
      assert.ok(sizeOf(segment) > 0)
      yield segment
    }
  }
}

/** Anything but the whole object is a range. */
function assertRange(range: { start: number; end: number }, size: number, { minRangeSourceBytes }: PartRules): void {
  assert.ok(range.start >= 0 && range.start <= range.end && range.end < size)
  if (range.end - range.start + 1 < size) assert.ok(size > minRangeSourceBytes, 'a range of a small object')
}

function sizeOf(segment: Segment): number {
  return 'bytes' in segment ? segment.bytes.length : segment.end - segment.start + 1
}
