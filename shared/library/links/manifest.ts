import type { LanguageText } from '../../vocabulary/field-values.ts'
import { isPoint, type Point } from '../../vocabulary/point.ts'

/**
 * The manifest of a link: a small JSON object beside the copy in the public bucket, which describes the file for renderers and hosts.
 */
export interface LinkManifest {
  /** Revision of the link, and the number of its file. Part of the keys of sources. */
  revision: number
  file: number
  /** Media type of the file; `application/octet-stream` where it isn't known. */
  mime: string
  /** `image`: it can be transformed. `undecodable`: a picture that can't be decoded. `other`: everything else, vector graphics included. */
  kind: LinkKind
  /** Size of the file. */
  bytes: number
  /** Of the original, upright, in pixels; null where not known. */
  width: number | null
  height: number | null
  /** Without dot; `bin` where the file has none. */
  extension: string
  /** Copyright for pictures; null where it is not known. */
  copyright: string | null
  /** IPTC's name of how the picture came about, such as `trainedAlgorithmicMedia`; null where the file says nothing. */
  digitalSourceType: string | null
  /** Whether any pixel of a picture is transparent. */
  transparent: boolean
  /** What cuts of a picture keep; null: nobody has said. */
  focalPoint: Point | null
  /** Whether a master is stored, or a job makes one. */
  master: boolean
  filename: string
  title: LanguageText
  description: LanguageText
}

/** A manifest, as stored in the public bucket. */
export interface StoredManifest extends LinkManifest {
  /** When it was stored, in UNIX milliseconds. The link shows the file since then. */
  modified: number
}

export type LinkKind = 'image' | 'undecodable' | 'other'

/** Thrown for text that is no manifest. */
export class InvalidManifest extends Error {
  override name = 'InvalidManifest'
}

/** The manifest as it is stored. */
export function writeManifest(manifest: LinkManifest): Uint8Array {
  return Buffer.from(JSON.stringify(manifest))
}

/** Reads a manifest as it is stored. @throws InvalidManifest */
export function readManifest(bytes: Uint8Array): LinkManifest {
  const parsed = { ...absent, ...parseObject(Buffer.from(bytes).toString()) } as Fields
  const wrong = Object.entries(checks).filter(([name, isRight]) => !isRight(parsed[name]))
  if (wrong.length > 0) throw new InvalidManifest(`the manifest of a link has no valid ${wrong.map(([name]) => name).join(', ')}`)
  const read = parsed as LinkManifest & Fields
  return Object.fromEntries(names.map((name) => [name, read[name]])) as unknown as LinkManifest
}

/** What manifests of earlier releases don't say. */
const absent = { file: 1, digitalSourceType: null, transparent: false, focalPoint: null, filename: '', title: {}, description: {} }

type Fields = { [name: string]: unknown }

function parseObject(text: string): Fields {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed }
  } catch (cause) {
    throw new InvalidManifest('the manifest of a link is no JSON', { cause })
  }
  throw new InvalidManifest('the manifest of a link is no JSON object')
}

const kinds: ReadonlySet<unknown> = new Set<LinkKind>(['image', 'undecodable', 'other'])

const isWhole = (least: number) => (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least
const isFilled = (value: unknown) => typeof value === 'string' && value !== ''
const isBoolean = (value: unknown) => typeof value === 'boolean'
const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => typeof value === 'object' && value !== null && Object.values(value).every(isText)
const orNull = (isRight: (value: unknown) => boolean) => (value: unknown) => value === null || isRight(value)

const checks: { [Name in keyof LinkManifest]: (value: unknown) => boolean } = {
  revision: isWhole(1),
  file: isWhole(1),
  mime: isFilled,
  kind: (value) => kinds.has(value),
  bytes: isWhole(0),
  width: orNull(isWhole(1)),
  height: orNull(isWhole(1)),
  extension: isFilled,
  copyright: orNull(isFilled),
  digitalSourceType: orNull(isFilled),
  transparent: isBoolean,
  focalPoint: orNull(isPoint),
  master: isBoolean,
  filename: isText,
  title: isTexts,
  description: isTexts,
}

const names = Object.keys(checks) as (keyof LinkManifest)[]
