import { addressWith, withValue } from './address-query.ts'
import { renderedSize } from './rendered-size.ts'

/** The width at which a picture is shown where nothing else is wanted, in pixels of the page. */
const SHOWN = 800

/** What is known of a published file. Pictures without a size leave the page to find it out. */
export interface Embedded {
  title?: string | null | undefined
  filename?: string | undefined
  width?: number | null | undefined
  height?: number | null | undefined
}

/** How a picture is to be shown: the company's name for it, and what that stands for. */
export interface EmbeddedPreset {
  name: string
  query: string
}

/** Whether an address is that of a picture that links show in other sizes. */
export const isPicture = (url: string): boolean => /\.(jpe?g|png|webp|gif|tiff?|avif|heic|bmp)$/i.test(url)

/** HTML that shows a published picture, in twice the pixels where the screen has them. Other files are linked. */
export function embedCode(url: string, { title, filename, width, height }: Embedded, preset?: EmbeddedPreset): string {
  if (!isPicture(url)) return `<a href="${escaped(url)}">${escaped(title || filename || url)}</a>`
  const usual = `width=${Math.min(SHOWN, width || SHOWN)}&output_format=auto`
  const at = (density: string) =>
    escaped(addressWith(url, preset ? `preset=${preset.name}${density && `&dpr=${density}`}` : withValue(usual, 'dpr', density)))
  const room = width && height ? renderedSize(preset ? preset.query : usual, { width, height }) : undefined
  const size = room ? ` width="${room.width}" height="${room.height}"` : ''
  return `<img src="${at('')}" srcset="${at('')} 1x, ${at('2')} 2x"${size} alt="${escaped(title ?? '')}" loading="lazy">`
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (value: string): string => value.replace(/[&<>"]/g, (sign) => signs[sign]!)
