import { ToolFailed } from '../failure.ts'

/** Elements that draw. All others are removed with their contents: scripts, foreign objects, links, animations, external pictures. */
const ELEMENTS = new Set(
  `svg g defs symbol use switch path rect circle ellipse line polyline polygon text tspan title desc style linearGradient radialGradient stop clipPath mask
  pattern marker filter feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge
  feMergeNode feMorphology feOffset`.split(/\s+/),
)

/** Attributes that affect drawing. */
const ATTRIBUTES = new Set(
  `id class style width height viewBox preserveAspectRatio version transform x y x1 y1 x2 y2 cx cy r rx ry fx fy d points pathLength offset dx dy rotate
  textLength lengthAdjust gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform clipPathUnits maskUnits
  maskContentUnits markerWidth markerHeight markerUnits refX refY orient filterUnits primitiveUnits in in2 result mode type values operator k1 k2 k3 k4
  stdDeviation edgeMode radius tableValues slope intercept amplitude exponent fill fill-opacity fill-rule stroke stroke-width stroke-opacity
  stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color stop-color stop-opacity flood-color flood-opacity
  clip-path clip-rule mask filter display visibility overflow paint-order vector-effect shape-rendering text-rendering color-interpolation
  color-interpolation-filters marker-start marker-mid marker-end font-family font-size font-style font-weight font-variant font-stretch text-anchor
  text-decoration dominant-baseline alignment-baseline baseline-shift letter-spacing word-spacing writing-mode direction isolation mix-blend-mode
  enable-background`.split(/\s+/),
)

/** Elements whose text is kept. */
const TEXTS = new Set(['text', 'tspan', 'title', 'desc', 'style'])

/** Most levels of elements. */
const MAX_DEPTH = 100

const SVG = 'http://www.w3.org/2000/svg'

/** Dropped parts between elements. A document type may declare entities, which therefore stay unknown. */
const ASIDES = [/<\?[\s\S]*?\?>/y, /<!--[\s\S]*?-->/y, /<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/iy]
const CDATA = /<!\[CDATA\[([\s\S]*?)\]\]>/y
const END = /<\/([^\s<>/]+)\s*>/y
const START = /<([^\s<>/!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const ATTRIBUTE = /([^\s=<>/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g

/**
 * Rewrites an SVG so that it looks the same but only contains shapes and text: known elements and attributes without external references.
 * @param source an SVG
 * @throws ToolFailed if it is no well-formed SVG
 */
export function harmlessSvg(source: string): string {
  const written: string[] = []
  /** The open elements, and whether their contents are kept. */
  const open: { tag: string; name: string; isKept: boolean }[] = []
  let isWhole = false
  for (let at = source.startsWith('\ufeff') ? 1 : 0; at < source.length; ) {
    const match = (pattern: RegExp) => {
      pattern.lastIndex = at
      const found = pattern.exec(source)
      if (found) at = pattern.lastIndex
      return found
    }
    const inside = open.at(-1)
    if (source[at] !== '<') {
      const next = source.indexOf('<', at)
      const text = source.slice(at, next < 0 ? source.length : next)
      at += text.length
      if (!inside && text.trim() !== '') throw malformed()
      if (inside?.isKept && TEXTS.has(inside.name)) written.push(textOf(inside.name, decoded(text) ?? ''))
      continue
    }
    if (ASIDES.some(match)) continue
    const data = match(CDATA)
    if (data && inside) {
      if (inside.isKept && TEXTS.has(inside.name)) written.push(textOf(inside.name, data[1]!))
      continue
    }
    const end = match(END)
    if (end && inside) {
      if (end[1] !== inside.tag) throw malformed()
      open.pop()
      if (inside.isKept) written.push(`</${inside.name}>`)
      isWhole = open.length === 0
      continue
    }
    const [, tag, attributes = '', closed] = match(START) ?? []
    if (tag === undefined || isWhole || open.length >= MAX_DEPTH) throw malformed()
    const name = tag.replace(/^svg:/, '')
    if (!inside && name !== 'svg') throw malformed()
    const isKept = (inside?.isKept ?? true) && ELEMENTS.has(name) && !(inside && TEXTS.has(inside.name) && !TEXTS.has(name))
    if (isKept) written.push(`<${name}${inside ? '' : ` xmlns="${SVG}"`}${attributesOf(attributes)}${closed ? '/' : ''}>`)
    if (!closed) open.push({ tag, name, isKept })
    else isWhole = open.length === 0
  }
  if (!isWhole) throw malformed()
  return written.join('')
}

const malformed = () => new ToolFailed('must be a well-formed SVG')

function attributesOf(text: string): string {
  const kept = new Map<string, string>()
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    const value = decoded(double ?? single ?? '')
    if (value === undefined || kept.has(name)) continue
    // References only to parts of the same picture.
    if (name === 'href' || name === 'xlink:href') {
      if (/^#[\w.-]+$/.test(value)) kept.set('href', value)
    } else if (ATTRIBUTES.has(name) && isOwn(value)) kept.set(name, value)
  }
  return [...kept].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
}

function textOf(name: string, text: string): string {
  if (name !== 'style') return escaped(text)
  const rules = text.replace(/\/\*[\s\S]*?\*\//g, '')
  return isOwn(rules) ? escaped(rules) : ''
}

/** Whether CSS only refers to parts of the same picture. Refuses escapes and at-rules (`@import`), which may hide references. */
function isOwn(css: string): boolean {
  return !/[\\@]|\/\*|image\s*\(|image-set|expression|javascript:|url\((?!\s*['"]?#[\w.-]+['"]?\s*\))/i.test(css)
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** @returns the text with entities resolved; undefined if one is unknown */
function decoded(text: string): string | undefined {
  let isKnown = true
  const resolved = text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));?/gi,
    (_, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) {
        isKnown &&= Object.hasOwn(NAMED, name)
        return NAMED[name] ?? ''
      }
      const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal)
      return code > 0x10ffff ? '' : String.fromCodePoint(code)
    },
  )
  return isKnown ? resolved : undefined
}

function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of these.
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, '')
      .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  )
}
