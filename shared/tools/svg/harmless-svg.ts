import { ToolFailed } from '../failure.ts'

/** Elements that draw. All others go with what is in them: scripts, pages in a picture, links, animations, pictures from elsewhere. */
const ELEMENTS = new Set(
  `svg g defs symbol use switch path rect circle ellipse line polyline polygon text tspan title desc style linearGradient radialGradient stop clipPath mask
  pattern marker filter feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge
  feMergeNode feMorphology feOffset`.split(/\s+/),
)

/** Attributes that say how it is drawn. */
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

/** Elements whose text counts. */
const TEXTS = new Set(['text', 'tspan', 'title', 'desc', 'style'])

/** Levels of elements. */
const MAX_DEPTH = 100

const SVG = 'http://www.w3.org/2000/svg'

/** What stands between elements and is left out. A document type may hold declarations of entities: those stay unknown. */
const ASIDES = [/<\?[\s\S]*?\?>/y, /<!--[\s\S]*?-->/y, /<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/iy]
const CDATA = /<!\[CDATA\[([\s\S]*?)\]\]>/y
const END = /<\/([^\s<>/]+)\s*>/y
const START = /<([^\s<>/!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const ATTRIBUTE = /([^\s=<>/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g

/**
 * A picture of the same look that holds nothing but shapes and text: it is written anew of known elements and attributes, which refer to nothing
 * outside of it.
 * @param source an SVG
 * @throws ToolFailed where it is no well-formed SVG
 */
export function harmlessSvg(source: string): string {
  const written: string[] = []
  /** The open elements, and whether what is in them is written. */
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
    // Only to a part of the same picture.
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

/** Whether CSS refers to parts of the same picture alone. Escapes and rules by name (`@import`) hide what they refer to. */
function isOwn(css: string): boolean {
  return !/[\\@]|\/\*|image\s*\(|image-set|expression|javascript:|url\((?!\s*['"]?#[\w.-]+['"]?\s*\))/i.test(css)
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** @returns the text with its references resolved; undefined where one is unknown */
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
