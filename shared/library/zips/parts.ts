import {
  type Composition,
  CompositionMissing,
  ObjectChanged,
  ObjectMissing,
  type ObjectReader,
  type Objects,
  type Part,
} from '../../backends/objects/port.ts'
import type { ObjectPlan, PlannedPart, Segment } from '../../tools/archive/plan.ts'

/** Parallelism over parts, each read into memory or composed. */
const PARTS_AT_ONCE = 4

/** Resources and callbacks of an assembly. */
interface Assembly {
  media: Objects
  /** Prefix of the keys of all its objects. */
  prefix: string
  contentType: string
  /** Asked between parts, after the first of this run. True stops. */
  outOfTime(): boolean
  /** Receives the number of stored bytes of the whole object. An error that it throws ends the assembly. */
  onProgress(bytes: number): Promise<void>
}

/** The key of a plan's object. */
export const assembledKey = ({ prefix }: Pick<Assembly, 'prefix'>, { name }: Pick<ObjectPlan, 'name'>): string => `${prefix}${name}`

/**
 * Assembles the object of a plan, its nested objects first. Continues an earlier run with the same plan. Safe to run concurrently.
 * @returns whether the object is complete; otherwise another run has to continue
 * @throws ObjectMissing, ObjectChanged, WrongChecksum if a source differs from the plan
 */
export async function assemble({ media, prefix, contentType, outOfTime, onProgress }: Assembly, plan: ObjectPlan): Promise<boolean> {
  const composed = new Map<string, Promise<boolean>>()
  let storedByThisRun = 0

  async function make(object: ObjectPlan): Promise<boolean> {
    const key = assembledKey({ prefix }, object)
    if ((await media.head(key))?.bytes === object.bytes) return true
    const handle = handleKey(prefix, object)
    const composition = (await readHandle(media, handle)) ?? (await begin(key, handle))
    try {
      if (!(await storeParts(composition, object))) return false
      await media.completeComposition(composition, { bytes: object.bytes, crc32: object.crc32 })
    } catch (error) {
      // Aborted, or completed by another run. The next run sees which.
      if (!(error instanceof CompositionMissing)) throw error
      await media.delete([handle])
      return false
    }
    await media.delete([handle])
    return true
  }

  async function begin(key: string, handle: string): Promise<Composition> {
    const composition = await media.beginComposition(key, { contentType })
    await media.put(handle, Buffer.from(JSON.stringify(composition)), { contentType: 'application/json' })
    return composition
  }

  /** @returns whether all are stored */
  async function storeParts(composition: Composition, object: ObjectPlan): Promise<boolean> {
    const stored = new Map<number, number>()
    for await (const { number, bytes } of media.storedParts(composition)) stored.set(number, bytes)
    let bytes = stored.values().reduce((sum, each) => sum + each, 0)
    let isStopped = false

    function* missing(): Generator<{ number: number; planned: PlannedPart }> {
      let number = 0
      for (const planned of object.parts()) {
        number += 1
        if (stored.get(number) === planned.bytes) continue
        isStopped = storedByThisRun > 0 && outOfTime()
        if (isStopped) return
        // A nested object counts for this run once it is composed: a run stores at least one of its parts.
        if (!('object' in planned)) storedByThisRun += 1
        yield { number, planned }
      }
    }
    async function* made(): AsyncGenerator<Part> {
      for await (const part of ordered(missing(), PARTS_AT_ONCE, madeReady)) {
        isStopped ||= part === undefined
        if (!part) return
        yield part.ready
        bytes += part.bytes
        if (object === plan) await onProgress(bytes)
      }
    }
    await media.storeParts(composition, made())
    return !isStopped
  }

  /** A part in the form of the storage. Undefined for a nested object that this run doesn't complete. */
  async function madeReady({
    number,
    planned,
  }: {
    number: number
    planned: PlannedPart
  }): Promise<{ ready: Part; bytes: number } | undefined> {
    const { bytes } = planned
    if ('segments' in planned) return { bytes, ready: { number, bytes: await partBytes(media, planned.segments, bytes) } }
    if ('copy' in planned) {
      const { key, ...range } = planned.copy
      return { bytes, ready: { number, copy: key, ...range } }
    }
    const { object, start, end } = planned
    const making = composed.get(object.name) ?? make(object)
    composed.set(object.name, making)
    if (!(await making)) return undefined
    const copy = assembledKey({ prefix }, object)
    return { bytes, ready: bytes === object.bytes ? { number, copy, size: bytes } : { number, copy, start, end } }
  }

  return make(plan)
}

const HANDLES = 'compositions/'

/** Key of a composition's handle, with which another run continues it. */
const handleKey = (prefix: string, { name }: Pick<ObjectPlan, 'name'>): string => `${prefix}${HANDLES}${name}`

/** Whether a key is that of a handle. */
export const isHandle = (key: string): boolean => key.includes(`/${HANDLES}`)

/** The composition of a handle, if it exists. */
export async function readHandle(media: Pick<Objects, 'get'>, key: string): Promise<Composition | undefined> {
  try {
    const { stream } = await media.get(key)
    return JSON.parse(Buffer.concat(await stream.toArray()).toString())
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
}

/**
 * Maps values in parallel and yields the results in order. Takes values only as it works on them.
 * @throws the errors of values and work, after running work has ended
 */
async function* ordered<Value, Result>(
  values: Iterable<Value>,
  atOnce: number,
  work: (value: Value) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = []
  try {
    for (const value of values) {
      const result = work(value)
      // Awaited later. Until then its rejection counts as handled.
      result.catch(() => undefined)
      running.push(result)
      if (running.length === atOnce) yield await running.shift()!
    }
    while (running.length > 0) yield await running.shift()!
  } finally {
    await Promise.allSettled(running)
  }
}

/** Parallelism of reads for one part. */
const READS_AT_ONCE = 8

type Reader = Pick<ObjectReader, 'get'>

/** The bytes of a part, from its segments. @throws ObjectMissing, ObjectChanged */
async function partBytes(media: Reader, segments: readonly Segment[], bytes: number): Promise<Uint8Array> {
  const part = Buffer.allocUnsafe(bytes)
  const placed: { segment: Segment; at: number }[] = []
  let end = 0
  for (const segment of segments) {
    placed.push({ segment, at: end })
    end += 'bytes' in segment ? segment.bytes.length : segment.end - segment.start + 1
  }
  if (end !== bytes) throw new Error(`segments of ${end} bytes make no part of ${bytes}`)
  const next = placed.values()
  const fill = async () => {
    for (const { segment, at } of next) {
      if ('bytes' in segment) part.set(segment.bytes, at)
      else await read(media, segment, part, at)
    }
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, fill))
  return part
}

/** Reads a range of an object into a part. */
async function read(media: Reader, segment: Exclude<Segment, { bytes: Uint8Array }>, part: Buffer, at: number): Promise<void> {
  const { key, etag, start, end } = segment
  const body = await media.get(key, { start, end })
  let filled = at
  // The stream of a replaced object stays unread.
  for await (const piece of body.stream) {
    if (etag !== undefined && body.etag !== etag) break
    filled += (piece as Buffer).copy(part, filled, 0, Math.max(0, at + (end - start + 1) - filled))
  }
  if (filled !== at + (end - start + 1)) throw new ObjectChanged(key)
}
