import { readFileSync } from 'node:fs'

const code = readFileSync(new URL('./link-request.js', import.meta.url), 'utf8')

/** Pixels that sizes of pictures are rounded up to: a link has few shapes then, however many sizes are asked for. */
const SIZE_STEPS = [64, 160, 320, 640, 1_024, 1_600, 2_560, 4_096]

/** The edge function of links. @param hasSteps whether it rounds sizes up */
export function linkRequestCode(hasSteps: boolean): string {
  return hasSteps ? code.replace('const STEPS = []', `const STEPS = [${SIZE_STEPS}]`) : code
}
