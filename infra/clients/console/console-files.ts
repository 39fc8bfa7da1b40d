import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** A file of the console. */
export interface ConsoleFile {
  /** Below the console's address, without leading slash. The page itself is `index.html`. */
  path: string
  body: Buffer
  contentType: string
  cacheControl: string
}

/** The page for every address of the console. */
export const PAGE = 'index.html'

/** What the page behind a share link runs. Its name stays, and what it loads is named by its contents. */
export const SHARE_SCRIPT = 'assets/share.js'

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Reads the built console. All files but the page and the script of share links are named by their contents.
 * @param directory that `builtConsole()` tells
 */
export async function consoleFiles(directory: string): Promise<ConsoleFile[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    paths.sort().map(async (file) => {
      const path = file.slice(directory.length).replace(/^\//, '')
      const contentType = contentTypes[extname(path)]
      if (!contentType) throw new Error(`no content type for ${path}`)
      const cacheControl = path === PAGE || path === SHARE_SCRIPT ? 'no-cache' : 'public, max-age=31536000, immutable'
      return { path, body: await readFile(file), contentType, cacheControl }
    }),
  )
}

/** Origins that the console may use besides its own, as `https://host`. */
export interface ConsoleHosts {
  /** Of links, streams and their pictures. */
  links: string
  /** Of signed files and pictures; absent where the API's own host delivers them. */
  files?: string
  /** That upload forms and parts are sent to; absent where it is the API's own. */
  uploads?: string
}

/** Nobody may use these, whatever script runs. */
const UNUSED_FEATURES = [
  'camera',
  'display-capture',
  'geolocation',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
]

/** Headers of every answer of the console. */
export function consoleHeaders({ links, files, uploads }: ConsoleHosts): Record<string, string> {
  const from = (...sources: (string | undefined)[]) => [...new Set(sources.filter((source) => source !== undefined))].join(' ')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${from("'self'", files, links)} data: blob:`,
    // A film that has no stream plays its preview, which is a file.
    `media-src ${from("'self'", files, links)} blob:`,
    // Files are read to show what is in them: large pictures in parts, texts, archives.
    `connect-src ${from("'self'", files, uploads, links)}`,
    "font-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types svelte-trusted-html',
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}
