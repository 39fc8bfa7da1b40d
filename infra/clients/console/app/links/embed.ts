/** Widths that an embedded picture offers, in pixels. */
const WIDTHS = [400, 800, 1200, 1600]
/** The width at which it is shown where the page leaves it the room. */
const SHOWN = 800

/** What is known of a published file. Pictures without a size leave the page to find it out. */
export interface Embedded {
  title: string
  width?: number | null | undefined
  height?: number | null | undefined
}

/** HTML that shows a published picture in the size that fits. Other files are linked. */
export function embedCode(url: string, { title, width, height }: Embedded): string {
  if (!/\.(jpe?g|png|webp|gif|tiff?|avif|heic|bmp)$/i.test(url)) return `<a href="${escaped(url)}">${escaped(title || url)}</a>`
  const at = (wanted: number) => escaped(`${url}?width=${wanted}&output_format=webp`)
  const shown = width ? Math.min(SHOWN, width) : SHOWN
  const set = [...new Set(WIDTHS.map((wanted) => (width ? Math.min(wanted, width) : wanted)))].map((wanted) => `${at(wanted)} ${wanted}w`)
  const size = width && height ? ` width="${shown}" height="${Math.max(1, Math.round((shown * height) / width))}"` : ''
  const sizes = `(max-width: ${shown}px) 100vw, ${shown}px`
  return `<img src="${at(shown)}" srcset="${set.join(', ')}" sizes="${sizes}"${size} alt="${escaped(title)}" loading="lazy">`
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (value: string): string => value.replace(/[&<>"]/g, (sign) => signs[sign]!)
