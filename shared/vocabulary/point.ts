/** A point of an upright picture, in fractions of its sides from the left and the top: 0 to 1. */
export type Point = { x: number; y: number }

/** Whether a value of any shape is a point. */
export function isPoint(value: unknown): value is Point {
  const { x, y } = Object(value) as Partial<Point>
  return [x, y].every((side) => typeof side === 'number' && side >= 0 && side <= 1)
}

/** Decimals of a focal point: a thousandth of 8,192 pixels is 8. */
const DECIMALS = 3

const rounded = (fraction: number): number => Number(fraction.toFixed(DECIMALS)) + 0

/** The nearest point of three decimals. */
export const roundedPoint = ({ x, y }: Point): Point => ({ x: rounded(x), y: rounded(y) })

/** A point as tables and the command line write it: `0.5,0.25`. */
export const pointText = ({ x, y }: Point): string => `${x},${y}`

const FRACTION = String.raw`(0(?:\.\d{1,20})?|1(?:\.0{1,20})?)`
const WRITTEN = new RegExp(`^${FRACTION} ?, ?${FRACTION}$`)

/** The point that a text like `0.5,0.25` names; undefined where it names none. */
export function pointIn(text: string): Point | undefined {
  const [, x, y] = WRITTEN.exec(text.trim()) ?? []
  return x === undefined || y === undefined ? undefined : roundedPoint({ x: Number(x), y: Number(y) })
}
