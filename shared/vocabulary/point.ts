/** A point of an upright picture, in fractions of its sides from the left and the top: 0 to 1. */
export type Point = { x: number; y: number }
