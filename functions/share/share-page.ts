import type { Clock } from '../../shared/backends/clock/port.ts'
import type { UrlSigner } from '../../shared/backends/edge/port.ts'
import type { AnsweredPage } from '../../shared/http/declaration/page.ts'
import { pictureUrl } from '../../shared/library/media/delivery.ts'
import type { Settings } from '../../shared/settings.ts'

/** The page of every link: it holds nothing of one. What it runs is the console's, which has no session here. */
export async function sharePage(
  library: { urls: UrlSigner; clock: Clock; settings: Pick<Settings, 'uploadsUrl'> },
  baseUrl: string,
): Promise<AnsweredPage> {
  const from = (source: string | undefined) => (source === undefined ? "'self'" : `'self' ${source}`)
  const files = await hostOfFiles(library)
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${from(files)} data: blob:`,
    `media-src ${from(files)}`,
    `connect-src ${from(library.settings.uploadsUrl)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const script = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/console/assets/share.js`
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    '<meta name="referrer" content="no-referrer">',
    '<title>Shared files</title>',
    `<script type="module" src="${script}"></script>`,
  ]
  return { html: `<!doctype html>\n<html lang="en">\n<head>${head.join('\n')}</head>\n<body></body>\n</html>\n`, policy }
}

/** Signed addresses of pictures and films are at this origin. */
async function hostOfFiles(library: { urls: UrlSigner; clock: Clock }): Promise<string> {
  return new URL(await pictureUrl(library)).origin
}
