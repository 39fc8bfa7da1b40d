import assert from 'node:assert/strict'
import sharp from 'sharp'
import type { Rendered } from '../../../shared/tools/imaging/render.ts'
import { quadrantColours } from './quadrants.ts'

/** Colours in the middle of the four quarters: upper left, upper right, lower left, lower right. */
export async function quarters(picture: string | Buffer): Promise<number[][]> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  return [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ].map(([x, y]) => {
    const at = (Math.floor(info.height * y!) * info.width + Math.floor(info.width * x!)) * info.channels
    return [...data.subarray(at, at + info.channels)]
  })
}

/** Fails unless colours agree, channel by channel, within the tolerance (of 255). */
export function assertClose(actual: number[][], expected: readonly (readonly number[])[], tolerance: number): void {
  assert.equal(actual.length, expected.length)
  for (const [index, colour] of actual.entries()) {
    assert.equal(colour.length, expected[index]!.length)
    for (const [channel, value] of colour.entries()) {
      const difference = Math.abs(value - expected[index]![channel]!)
      assert.ok(difference <= tolerance, `colour ${index} is ${colour}, expected ${expected[index]}`)
    }
  }
}

/** Fails unless every size shows the picture of quarters. */
export async function assertShowsQuarters(rendered: Rendered, tolerance = 8): Promise<void> {
  for (const { path } of rendered.renditions) assertClose(await quarters(path), quadrantColours, tolerance)
}
