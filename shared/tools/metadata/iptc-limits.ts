/** Maximum lengths of IPTC datasets in bytes (IPTC-IIM 4.2). */
const BYTES = { 'Caption-Abstract': 2_000, CopyrightNotice: 128, Keywords: 64, ObjectName: 64, Headline: 256 }

/** Datasets that are written. */
export type IptcDataset = keyof typeof BYTES

/** Cuts a text to a dataset's length, in whole UTF-8 characters. */
export function cutForIptc(dataset: IptcDataset, text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(BYTES[dataset]))
  return read < text.length ? text.slice(0, read).trimEnd() : text
}
