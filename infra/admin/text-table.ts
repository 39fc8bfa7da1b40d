/** Rows as aligned columns under their titles, for people. */
export function textTable(titles: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const lines = [titles, ...rows].map((row) => row.map(String))
  const widths = titles.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
