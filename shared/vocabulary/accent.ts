/** A colour as `#rrggbb`, in lower case. */
export type Colour = string

/** Contrast that text needs (WCAG 2.2, 1.4.3). */
const CONTRAST = 4.5

/**
 * Colours of each theme next to the accent: the lightest and darkest background of text in the accent's colour, and the colour of text on
 * the accent.
 */
const light = { grounds: ['#ffffff', '#f5f6f8'], onAccent: '#ffffff' } as const
const dark = { grounds: ['#17191c', '#1f2226'], onAccent: '#0a1a2a' } as const

/**
 * The nearest colour of the accent's hue that is readable in the light theme, both as text on its backgrounds and under white text.
 * @returns the accent itself if it is readable
 */
export function readableOnLight(accent: Colour): Colour {
  const others = [...light.grounds, light.onAccent].map(luminance)
  const most = Math.min(...others.map((other) => (other + 0.05) / CONTRAST - 0.05))
  const own = luminance(accent)
  if (own <= most) return accent
  return hex(
    channels(accent).map((channel) => channel * (most / own)),
    Math.floor,
  )
}

/** The same for the dark theme: mixes an accent that is too dark with white. */
export function readableOnDark(accent: Colour): Colour {
  const others = [...dark.grounds, dark.onAccent].map(luminance)
  const least = Math.max(...others.map((other) => (other + 0.05) * CONTRAST - 0.05))
  const own = luminance(accent)
  if (own >= least) return accent
  const share = (least - own) / (1 - own)
  return hex(
    channels(accent).map((channel) => channel + (1 - channel) * share),
    Math.ceil,
  )
}

/** The contrast ratio of two colours (WCAG 2.2), 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
function luminance(colour: Colour): number {
  const [red, green, blue] = channels(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Red, green and blue in linear light, 0 to 1 (IEC 61966-2-1). */
function channels(colour: Colour): [number, number, number] {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
}

/** @param round rounds to the side that keeps the contrast */
function hex(linear: readonly number[], round: (value: number) => number): Colour {
  const digits = linear.map((value) => {
    const encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
    return Math.min(255, Math.max(0, round(encoded * 255)))
      .toString(16)
      .padStart(2, '0')
  })
  return `#${digits.join('')}`
}
