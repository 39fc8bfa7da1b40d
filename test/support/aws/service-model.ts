import { botocore } from './stack-botocore.ts'

/** A shape of a service's model, as far as requests need it. */
interface Shape {
  type: 'structure' | 'list' | 'map' | 'string' | 'integer' | 'long' | 'float' | 'double' | 'boolean' | 'timestamp' | 'blob'
  members?: Record<string, Member>
  required?: string[]
  member?: Member
  value?: Member
  enum?: string[]
  min?: number
  max?: number
  pattern?: string
}

interface Member {
  shape: string
  /** Its name on the wire, where that differs. */
  locationName?: string
  /** Where it is instead of the body. */
  location?: string
}

/** How members are named: as in the SDK (`OutputGroups`) or as on the wire (`outputGroups`). */
export type Naming = 'sdk' | 'wire'

/** What AWS has published of the API of a service. */
export interface ServiceModel {
  /** What is wrong with a request, in sentences that begin with the place: members that nobody knows or that are missing, types, ranges, enums, patterns. */
  faultsIn(shape: string, value: unknown, naming: Naming): string[]
  /** A request without faults, as it is on the wire, with the names of the SDK. */
  ofWire(shape: string, value: unknown): unknown
}

/** The model that came with the emulator's botocore. @param service by its name there @throws EngineUnavailable */
export async function serviceModel(service: string): Promise<ServiceModel> {
  const script = `answer = session.get_component('data_loader').load_service_model(asked, 'service-2')['shapes']`
  const shapes = (await botocore(script, service, {})) as Record<string, Shape>
  return {
    faultsIn: (shape, value, naming) => [...new Walk(shapes, naming).faults({ shape }, value, 'request')],
    ofWire: (shape, value) => renamed(shapes, shape, value),
  }
}

function renamed(shapes: Record<string, Shape>, name: string, value: unknown): unknown {
  const { type, members = {}, member, value: mapped } = shapes[name]!
  if (type === 'list') return (value as unknown[]).map((each) => renamed(shapes, member!.shape, each))
  if (type !== 'structure' && type !== 'map') return value
  const entries = Object.entries(value as object)
  if (type === 'map') return Object.fromEntries(entries.map(([key, each]) => [key, renamed(shapes, mapped!.shape, each)]))
  const keys = new Map(Object.entries(members).map(([key, { locationName = key }]) => [locationName, key]))
  return Object.fromEntries(entries.map(([wire, each]) => [keys.get(wire)!, renamed(shapes, members[keys.get(wire)!]!.shape, each)]))
}

class Walk {
  readonly #shapes: Record<string, Shape>
  readonly #naming: Naming

  constructor(shapes: Record<string, Shape>, naming: Naming) {
    this.#shapes = shapes
    this.#naming = naming
  }

  *faults({ shape: name }: Member, value: unknown, at: string): Generator<string> {
    const shape = this.#shapes[name]
    if (!shape) throw new Error(`the model has no shape ${name}`)
    if (!isOfType(shape, value)) return yield `${at}: ${JSON.stringify(value)} is no ${shape.type}`
    if (shape.type === 'structure') return yield* this.#structure(shape, value as Record<string, unknown>, at)
    if (shape.type === 'list')
      for (const [index, each] of (value as unknown[]).entries()) yield* this.faults(shape.member!, each, `${at}[${index}]`)
    if (shape.type === 'map')
      for (const [key, each] of Object.entries(value as object)) yield* this.faults(shape.value!, each, `${at}.${key}`)
    yield* limitFaults(shape, value, at)
  }

  *#structure({ members = {}, required = [] }: Shape, value: Record<string, unknown>, at: string): Generator<string> {
    const nameOf = (key: string) => (this.#naming === 'wire' && members[key]!.locationName) || key
    const known = new Map(Object.entries(members).map(([key, member]) => [nameOf(key), member]))
    for (const [name, each] of Object.entries(value)) {
      const member = known.get(name)
      if (each === undefined) continue
      if (member) yield* this.faults(member, each, `${at}.${name}`)
      else yield `${at}: nobody knows ${name}`
    }
    for (const key of required) if (value[nameOf(key)] === undefined) yield `${at}: ${nameOf(key)} is missing`
  }
}

function isOfType({ type }: Shape, value: unknown): boolean {
  if (type === 'structure' || type === 'map') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (type === 'list') return Array.isArray(value)
  if (type === 'integer' || type === 'long') return Number.isSafeInteger(value)
  if (type === 'float' || type === 'double' || type === 'timestamp') return Number.isFinite(value)
  return typeof value === (type === 'blob' ? 'string' : type)
}

function* limitFaults({ enum: values, min, max, pattern }: Shape, value: unknown, at: string): Generator<string> {
  const told = `${at}: ${JSON.stringify(value)}`
  if (values && !values.includes(value as string)) yield `${told} is none of ${values.join(', ')}`
  if (pattern !== undefined && !new RegExp(pattern).test(value as string)) yield `${told} is not like ${pattern}`
  const size = typeof value === 'number' ? value : (value as { length?: number }).length
  if (size !== undefined && min !== undefined && size < min) yield `${told} is under ${min}`
  if (size !== undefined && max !== undefined && size > max) yield `${told} is over ${max}`
}
