import { type Composition, CompositionMissing, ObjectMissing, type Objects, type Part } from '../../backends/objects/port.ts'
import type { ObjectPlan, PlannedPart } from '../../tools/archive/plan.ts'
import { ordered } from './ordered.ts'
import { partBytes } from './part-bytes.ts'

/** Parts that are made ready at the same time: read into memory, or composed themselves. */
const PARTS_AT_ONCE = 4

/** What an assembly works with, and what it tells. */
export interface Assembly {
  media: Objects
  /** Begins the keys of all its objects. */
  prefix: string
  contentType: string
  /** Asked between parts, after at least one of this run; true stops. */
  outOfTime(): boolean
  /** Told how many bytes of the whole object are stored. What it throws ends the assembly. */
  onProgress(bytes: number): Promise<void>
}

/** The object that a plan makes. */
export const assembledKey = ({ prefix }: Pick<Assembly, 'prefix'>, { name }: Pick<ObjectPlan, 'name'>): string => `${prefix}${name}`

/**
 * Makes the object of a plan, and before it those that it is made of; or goes on where an earlier run with the same plan ended. Two runs at a
 * time do no harm.
 * @returns whether it is there, whole; else another run has to go on
 * @throws ObjectMissing, ObjectChanged, WrongChecksum when a source is another than the plan says
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
      // It was aborted, or another run has completed it: the next run finds out.
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
        // A part that is an object is none of this run before that is composed: a run stores at least one of its parts.
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

  /** A part as storage takes it. Undefined when it is of an object that this run doesn't complete. */
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

/** Where the handle of a composition is kept, so that another run goes on with it. */
const handleKey = (prefix: string, { name }: Pick<ObjectPlan, 'name'>): string => `${prefix}${HANDLES}${name}`

/** Whether an object is such a handle. */
export const isHandle = (key: string): boolean => key.includes(`/${HANDLES}`)

/** The composition that a handle stands for, where there is one. */
export async function readHandle(media: Pick<Objects, 'get'>, key: string): Promise<Composition | undefined> {
  try {
    const { stream } = await media.get(key)
    return JSON.parse(Buffer.concat(await stream.toArray()).toString())
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
}
