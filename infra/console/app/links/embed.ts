/** Widths that an embedded picture offers, in pixels. */
const WIDTHS = [400, 800, 1200, 1600]

/** HTML that shows a published picture in the size that fits. Other files are linked. */
export function embedCode(url: string, title: string): string {
  const at = (width: number) => `${url}?width=${width}&output_format=webp`
  if (!/\.(jpe?g|png|webp|gif|tiff?|avif|heic|bmp)$/i.test(url)) return `<a href="${escaped(url)}">${escaped(title)}</a>`
  const set = WIDTHS.map((width) => `${escaped(at(width))} ${width}w`).join(', ')
  return `<img src="${escaped(at(800))}" srcset="${set}" sizes="100vw" alt="${escaped(title)}" loading="lazy">`
}

const escaped = (value: string): string => value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
