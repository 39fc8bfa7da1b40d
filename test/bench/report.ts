/** One measured number, with its target where it has one. */
export interface Row {
  what: string
  value: number
  unit: string
  /** Target: no more than this. */
  atMost?: number
  /** Target: no less than this. */
  atLeast?: number
}

/** The rows as lines of aligned columns: what, number, unit, target, met or not. */
export function report(rows: readonly Row[]): string {
  const lines = rows.map((row) => [row.what, readable(row.value), row.unit, target(row), verdict(row)])
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]!.length)))
  const padded = ([what = '', number = '', unit = '', goal = '', met = '']: string[]) =>
    [what.padEnd(widths[0]!), number.padStart(widths[1]!), unit.padEnd(widths[2]!), goal.padEnd(widths[3]!), met].join('  ').trimEnd()
  return lines.map(padded).join('\n')
}

/** Three digits that count, more where the number has them before its point. */
function readable(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2)
}

function target({ atMost, atLeast }: Row): string {
  if (atMost !== undefined) return `<= ${atMost}`
  return atLeast === undefined ? '' : `>= ${atLeast}`
}

function verdict(row: Row): string {
  if (row.atMost === undefined && row.atLeast === undefined) return ''
  return row.value <= (row.atMost ?? Infinity) && row.value >= (row.atLeast ?? -Infinity) ? 'met' : 'MISSED'
}
