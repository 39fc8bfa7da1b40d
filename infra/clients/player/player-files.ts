import { createHash } from 'node:crypto'
import type { Settings } from '../../../shared/settings.ts'
import { type PlayerSources, playerSources } from './player-sources.ts'

/** The addresses of the player's page and of the streams. */
export interface PlayerAddresses extends Pick<Settings, 'cdnUrl' | 'playerUrl'> {
  /** Former addresses of streams: addresses, or paths at the page's own host, without trailing slash. Pages that name one go on to play. */
  formerCdnUrls: readonly string[]
}

/** A file on the player's host. */
export interface PlayerFile {
  /** Below the player's address, without leading slash. The page itself is `index.html`. */
  path: string
  body: string
  contentType: string
  cacheControl: string
}

/**
 * Browsers and edges may show a page of this age, in seconds: a new version of the player is in use soon after, and the update of a stack changes
 * the page's headers at another moment than the page.
 */
const PAGE_SECONDS = 60
const PAGE_CACHE_CONTROL = `public, max-age=${PAGE_SECONDS}`

/**
 * The files of the player's host: the page, hls.js under a name that follows from its content, and how to embed the page.
 * @param sources what they are made of; a bundle, which has no such files, brings its own
 */
export function playerFiles({ cdnUrl, playerUrl, formerCdnUrls }: PlayerAddresses, sources: PlayerSources = playerSources()): PlayerFile[] {
  const library = libraryName(sources)
  const page = filled(sources.page, {
    '{cdn_url}': asAttribute(cdnUrl),
    '{former_cdn_urls}': asAttribute(formerCdnUrls.join(' ')),
    '{library_url}': asAttribute(`${playerUrl}/${library}`),
    '{library_integrity}': `sha384-${digest('sha384', sources.library)}`,
    '<link rel="stylesheet" href="player.css">': `<style>${sources.style}</style>`,
    '<script type="module" src="player.js"></script>': `<script>${sources.script}</script>`,
  })
  return [
    { path: 'index.html', body: page, contentType: 'text/html; charset=utf-8', cacheControl: PAGE_CACHE_CONTROL },
    {
      path: library,
      body: sources.library,
      contentType: 'text/javascript; charset=utf-8',
      cacheControl: 'public, max-age=31536000, immutable',
    },
    { path: 'iframe.json', body: embedding(playerUrl), contentType: 'application/json', cacheControl: PAGE_CACHE_CONTROL },
  ]
}

/**
 * Headers of every answer of the player's host. Any site may embed the page. It runs its own script and hls.js, and talks to streams alone,
 * whatever its address says.
 * @param addresses without `playerUrl` of a host that has nothing but the player: its scripts are those of the same host
 */
export function playerHeaders(
  { cdnUrl, playerUrl }: Pick<Settings, 'cdnUrl'> & Partial<Settings>,
  sources: PlayerSources = playerSources(),
): Record<string, string> {
  const streams = `${cdnUrl}/streams/`
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${digest('sha256', sources.script)}' ${playerUrl ? `${playerUrl}/${libraryName(sources)}` : "'self'"}`,
    `style-src 'sha256-${digest('sha256', sources.style)}'`,
    `img-src ${streams} data:`,
    // hls.js gives the video its pieces as a blob:, and each language of subtitles an empty file as data:.
    `media-src ${streams} blob: data:`,
    `connect-src ${streams}`,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ]
  return {
    'access-control-allow-origin': '*',
    'content-security-policy': policy.join('; '),
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}

/** Under which hls.js is served: it follows from its content, so browsers may keep it. */
const libraryName = ({ library }: PlayerSources) => `hls.${createHash('sha256').update(library).digest('hex').slice(0, 16)}.js`

/** How to embed the page: HTML with placeholders, and their names. */
function embedding(playerUrl: string): string {
  const address = `${asAttribute(playerUrl)}/?v={v}&media={media}`
  const allowed = 'autoplay; fullscreen; picture-in-picture'
  const iframe = `<iframe src="${address}" width="640" height="360" title="Video" allow="${allowed}" allowfullscreen style="border:0"></iframe>`
  return JSON.stringify({ iframe, fields: ['v', 'media'] })
}

/** A text with its placeholders replaced. @throws Error where it lacks one */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filling, [placeholder, value]) => {
    if (!filling.includes(placeholder)) throw new Error(`the player's page has no ${placeholder}`)
    return filling.replace(placeholder, () => value)
  }, text)
}

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('base64')

const asAttribute = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')
