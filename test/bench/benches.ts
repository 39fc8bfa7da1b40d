import type { Row } from './report.ts'
import { searchRows } from './search-rows.ts'

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
  pipelining: bench(
    'clients that send very many requests in one write',
    { requests: 1_600, connections: 5 },
    () => import('./pipelining.ts'),
  ),
  signing: bench('signing the thumbnail URLs of a page', { urls: 500, rounds: 51 }, () => import('./signing.ts')),
  start: bench('start of the server, and its memory when idle', { starts: 5, idle: 10 }, () => import('./start.ts')),
  'sign-in': bench('others during a flood of wrong sign-ins', { guesses: 200, rounds: 20 }, () => import('./sign-in.ts')),
  uploads: bench('accepted uploads a second, beside the floor', { seconds: 15, parallel: 4 }, () => import('./uploads.ts')),
  'part-uploads': bench('a large file in parts beside a form', { megabytes: 1024 }, () => import('./part-uploads.ts')),
  'large-upload': bench('a large upload and its memory', { megabytes: 1024 }, () => import('./large-upload.ts')),
  'command-line': bench(
    'the command line beside a bare loop and curl, and over very many files; needs curl',
    { files: 10_000, kilobytes: 200, megabytes: 3_072, listed: 100_000 },
    () => import('./command-line.ts'),
    slow,
  ),
  'download-after-edit': bench(
    'a download right after an edit, to its first byte',
    { rounds: 31 },
    () => import('./download-after-edit.ts'),
  ),
  folders: bench(
    'GET /folder in companies of many folders',
    { folders: 10_000, many: 100_000, rounds: 25, starts: 5 },
    () => import('./folders.ts'),
    slow,
  ),
  'plan-archive': bench(
    'planning a zip of many files, and what one of large files takes',
    { files: 100_000, rounds: 11, gigabytes: 100, megabytes: 20 },
    () => import('./plan-archive.ts'),
  ),
  zips: bench(
    'zips of whole folders, beside common libraries',
    { large: 100, small: 10_000, photos: 2_000 },
    () => import('./zips.ts'),
    slow,
  ),
  bulk: bench('keywords of many files by one request, and others beside it', { files: 10_000 }, () => import('./bulk.ts'), slow),
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
  removal: bench('deleting, trashing and purging a large tree', { folders: 2_000, pointers: 100_000 }, () => import('./removal.ts'), slow),
  check: bench("the operator's check of a large library", { files: 100_000 }, () => import('./check.ts'), slow),
  'search-http': bench('a whole GET /search', { files: 200_000, rounds: 51 }, () => import('./search-http.ts'), slow),
  'large-library': bench(
    'what a client asks that scrolls through a large library',
    { files: 100_000, rounds: 51 },
    () => import('./large-library.ts'),
    slow,
  ),
  engines: bench('both search engines, side by side', { files: 100_000, rounds: 21 }, () => import('./engines.ts'), slow),
  'folder-beside-searches': bench(
    'GET /folder/{id} while others search',
    { files: 100_000, seconds: 15 },
    () => import('./folder-beside-searches.ts'),
    slow,
  ),
  'mixed-load': bench(
    'many clients who read, search and upload at once',
    { clients: 64, seconds: 20, files: 20_000 },
    () => import('./mixed-load.ts'),
    slow,
  ),
  'cold-search': bench(
    'the first search of a process, with a snapshot from a local server of S3; needs Go',
    { files: 50_000, rounds: 5 },
    () => import('./cold-search.ts'),
    slow,
  ),
  'stock-search': bench(
    'searches of the stock library, beside those of as many own media',
    { files: 50_000, rounds: 51 },
    () => import('./stock-search.ts'),
    slow,
  ),
  'stock-import': bench(
    'imports of manifests into the stock catalogue',
    { items: 10_000, files: 500 },
    () => import('./stock-import.ts'),
    slow,
  ),
  'many-folders': bench(
    'searches and lists by how many folders a company has',
    { folders: 100_000, files: 20_000, rounds: 51 },
    () => import('./many-folders.ts'),
    slow,
  ),
  stalls: bench('how long work behind the scenes keeps requests waiting', { changes: 400_000 }, () => import('./stalls.ts'), slow),
  import: bench('imports of photos by the service, against commands', { photos: 200 }, () => import('./import.ts'), slow),
  'import-tools': bench('the tools of an import, against commands', { photos: 200 }, () => import('./import-tools.ts'), slow),
  'write-metadata': bench('writing metadata into JPEGs', { rounds: 31 }, () => import('./write-metadata.ts')),
  search: bench('the search engine alone', { files: 200_000, rounds: 21 }, () => import('./search.ts').then(searchRows), slow),
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
  'stream-playable': bench(
    'a stream of a video, from the request to its first segment',
    { rounds: 5 },
    () => import('./stream-playable.ts'),
    slow,
  ),
  'video-encode': bench(
    'the stream and the preview of a video, against plain commands',
    { rounds: 3, seconds: 20 },
    () => import('./video-encode.ts'),
    slow,
  ),
  'render-cold-start': bench('cold start and size of the renderer of links', { runs: 15 }, () => import('./render-cold-start.ts'), slow),
  'player-page': bench(
    "what the player's page loads, and its first frame; needs Chromium",
    { rounds: 11 },
    () => import('./player-page.ts'),
    slow,
  ),
  console: bench(
    'the console: first load, first screen, scrolling, dropped trees; needs Chromium',
    { files: 100_000, seconds: 30, dropped: 1_001, queued: 20_000, rounds: 5 },
    () => import('./console.ts'),
    slow,
  ),
  bundles: bench('sizes and cold starts of bundles', { runs: 15 }, () => import('./bundles.ts'), slow),
  install: bench('npm ci in a fresh clone', {}, () => import('./install.ts'), slow),
}

function bench<Options extends Record<string, number>>(
  summary: string,
  defaults: Options,
  load: () => Promise<{ run(options: Options): Promise<Row[]> }>,
  { quick = true } = {},
): Bench {
  return { summary, quick, defaults, run: async (options) => (await load()).run(options as Options) }
}
