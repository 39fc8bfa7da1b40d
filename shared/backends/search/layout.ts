import type { Layout } from './port.ts'

/** What a layout is made of. `time`: the order's date in UNIX milliseconds. */
export interface Shape {
  width: number | null
  height: number | null
  time: number | null
}

/** The layout of files in their order. */
export function layoutOf(files: readonly Shape[]): Layout {
  const days: Layout['days'] = []
  let [from, to] = [0, 0]
  for (const { time } of files) {
    if (time === null) continue
    const last = days.at(-1)
    if (last && time >= from && time < to) {
      last[1]++
      continue
    }
    from = Math.floor(time / DAY) * DAY
    to = from + DAY
    days.push([new Date(from).toISOString().slice(0, 10), 1])
  }
  return { ratios: files.map(({ width, height }) => (width && height ? Math.round((100 * width) / height) : 0)), days }
}

const DAY = 86_400_000
