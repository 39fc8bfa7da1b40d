/** Side of the windows in which pictures are compared, and how far apart windows begin, in pixels. */
const WINDOW = 8
const STEP = 4
/** Constants of the index for samples of 8 bits. */
const C1 = (0.01 * 255) ** 2
const C2 = (0.03 * 255) ** 2

/** Samples of a grey picture, 8 bits each, row by row. */
export interface GreyPicture {
  data: Uint8Array
  width: number
  height: number
}

/**
 * How alike two pictures of the same size look: their mean structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004) in square
 * windows. 1 means equal.
 */
export function ssim(one: GreyPicture, other: GreyPicture): number {
  if (one.width !== other.width || one.height !== other.height) throw new Error('pictures of different sizes are not compared')
  let [sum, windows] = [0, 0]
  for (let top = 0; top + WINDOW <= one.height; top += STEP) {
    for (let left = 0; left + WINDOW <= one.width; left += STEP) {
      sum += similarity(one, other, top * one.width + left)
      windows++
    }
  }
  return sum / windows
}

/** @param start index of the window's first sample */
function similarity({ data: x, width }: GreyPicture, { data: y }: GreyPicture, start: number): number {
  let [sumX, sumY, sumXX, sumYY, sumXY] = [0, 0, 0, 0, 0]
  for (let row = start; row < start + WINDOW * width; row += width) {
    for (let at = row; at < row + WINDOW; at++) {
      const [a, b] = [x[at]!, y[at]!]
      sumX += a
      sumY += b
      sumXX += a * a
      sumYY += b * b
      sumXY += a * b
    }
  }
  const samples = WINDOW * WINDOW
  const [meanX, meanY] = [sumX / samples, sumY / samples]
  const [varianceX, varianceY] = [sumXX / samples - meanX ** 2, sumYY / samples - meanY ** 2]
  const covariance = sumXY / samples - meanX * meanY
  return ((2 * meanX * meanY + C1) * (2 * covariance + C2)) / ((meanX ** 2 + meanY ** 2 + C1) * (varianceX + varianceY + C2))
}
