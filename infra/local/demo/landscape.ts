/** A landscape that is drawn: hills before a sky. */
export interface Landscape {
  width: number
  height: number
  /** Colours of the sky, from above to the horizon, as CSS has them. */
  sky: readonly [string, string]
  /** Colour of the sun, and where it is: shares of width and height. */
  sun: { colour: string; x: number; y: number }
  /** Colours of the hills, the farthest first. */
  hills: readonly string[]
}

/** Points of a hill's outline. */
const STEPS = 60

/** The picture as SVG. */
export function drawLandscape({ width, height, sky, sun, hills }: Landscape): string {
  const shapes = hills.map((colour, index) => `<path fill="${colour}" d="${outline(index, hills.length, width, height)}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="0.75" stop-color="${sky[1]}"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#sky)"/>
<circle cx="${sun.x * width}" cy="${sun.y * height}" r="${Math.min(width, height) * 0.09}" fill="${sun.colour}"/>
${shapes.join('\n')}
</svg>`
}

/** The outline of one hill: two waves, of which the nearer ones are lower and longer. */
function outline(index: number, count: number, width: number, height: number): string {
  const base = 0.5 + (0.4 * index) / count
  const rise = 0.16 - (0.09 * index) / count
  const points = Array.from({ length: STEPS + 1 }, (_, step) => {
    const x = (step / STEPS) * width
    const angle = (x / height) * (4 - index * 0.6) + index * 2.1
    const y = height * (base - rise * Math.sin(angle) * Math.cos(angle * 0.37 + index))
    return `${Math.round(x)},${Math.round(y)}`
  })
  return `M0,${height} L${points.join(' ')} L${width},${height} Z`
}
