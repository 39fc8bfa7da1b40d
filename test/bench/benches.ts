import type { Row } from './report.ts'

/** Something that can be measured. */
export interface Bench {
  summary: string
  /** Under a minute, and needs nothing but the project: part of `npm run bench -- quick`. */
  quick: boolean
  /** Its flags, with their values where none is given. */
  defaults: Readonly<Record<string, number>>
  run(options: Readonly<Record<string, number>>): Promise<Row[]>
}

const slow = { quick: false }

/** All benches by name. Each is the `run()` of a file of that name, loaded when it is its turn. */
export const benches: Readonly<Record<string, Bench>> = {
  kernel: bench('one request through the kernel, and requests a second', { requests: 5_000, seconds: 5 }, () => import('./kernel.ts')),
  'folder-peer': bench('GET /folder/:id beside the same by hand', { seconds: 3, rounds: 3 }, () => import('./folder-peer.ts')),
  uploads: bench('accepted uploads a second, beside the floor', { seconds: 15, parallel: 4 }, () => import('./uploads.ts')),
  'part-uploads': bench('a large file in parts beside a form', { megabytes: 1024 }, () => import('./part-uploads.ts')),
  'command-line': bench(
    'the command line beside a bare loop and curl, and over very many files; needs curl',
    { files: 10_000, kilobytes: 200, megabytes: 3_072, listed: 100_000 },
    () => import('./command-line.ts'),
    slow,
  ),
  folders: bench(
    'GET /folder in companies of many folders',
    { folders: 10_000, many: 100_000, rounds: 25, starts: 5 },
    () => import('./folders.ts'),
    slow,
  ),
  zips: bench(
    'zips of whole folders, beside common libraries',
    { large: 100, small: 10_000, photos: 2_000 },
    () => import('./zips.ts'),
    slow,
  ),
  events: bench(
    'changes at a steady pace: the feed, a webhook, others beside it, and pages of events',
    { changes: 10_000, seconds: 60, rounds: 51 },
    () => import('./events.ts'),
    slow,
  ),
  backup: bench(
    'a backup of many files, copied and linked, and uploads beside it',
    { files: 10_000, copied: 1_000, seconds: 15 },
    () => import('./backup.ts'),
    slow,
  ),
  'large-library': bench(
    'what a client asks that scrolls through a large library',
    { files: 100_000, rounds: 51 },
    () => import('./large-library.ts'),
    slow,
  ),
  'mixed-load': bench(
    'many clients who read, search and upload at once',
    { clients: 64, seconds: 20, files: 20_000 },
    () => import('./mixed-load.ts'),
    slow,
  ),
  import: bench('imports of photos by the service, against commands', { photos: 200 }, () => import('./import.ts'), slow),
  'search-side-by-side': bench(
    'the search engine alone, beside FTS5 by itself',
    { files: 200_000, rounds: 51 },
    () => import('./search-side-by-side.ts'),
    slow,
  ),
  'search-after-changes': bench(
    'an index after changes of 1 % of its files, and merged',
    { files: 200_000, rounds: 21 },
    () => import('./search-after-changes.ts'),
    slow,
  ),
  'link-renders': bench(
    'pictures of links, beside ipx, thumbor and sharp',
    { rounds: 5, seconds: 5 },
    () => import('./link-renders.ts'),
    slow,
  ),
  'link-published': bench('links: published, replaced, gone', { files: 50 }, () => import('./link-published.ts'), slow),
  'video-encode': bench(
    'the stream and the preview of a video, against plain commands',
    { rounds: 3, seconds: 20 },
    () => import('./video-encode.ts'),
    slow,
  ),
  console: bench(
    'the console: first load, first screen, scrolling, dropped trees; needs Chromium',
    { files: 100_000, seconds: 30, dropped: 1_001, queued: 20_000, rounds: 5 },
    () => import('./console.ts'),
    slow,
  ),
}

function bench<Options extends Record<string, number>>(
  summary: string,
  defaults: Options,
  load: () => Promise<{ run(options: Options): Promise<Row[]> }>,
  { quick = true } = {},
): Bench {
  return { summary, quick, defaults, run: async (options) => (await load()).run(options as Options) }
}
