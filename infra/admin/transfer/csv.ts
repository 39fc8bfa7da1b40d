/** A line of CSV (RFC 4180), with its end. */
export const csvLine = (values: readonly string[]): string => `${values.map(quoted).join(',')}\r\n`

const quoted = (value: string): string => (/[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
