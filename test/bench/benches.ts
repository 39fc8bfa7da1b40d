import type { Row } from './report.ts'

/** Something that can be measured. */
export interface Bench {
  summary: string
  /** Its flags, with their values where none is given. */
  defaults: Readonly<Record<string, number>>
}

/** Benches that take under a minute each, and need nothing but the project: `npm run bench -- quick`. */
export const quick = ['kernel', 'folder-peer', 'uploads', 'part-uploads']

/** All benches by name. Each is the `run()` of a file of that name. */
export const benches: Readonly<Record<string, Bench>> = {
  kernel: { summary: 'one request through the kernel, and requests a second', defaults: { requests: 5_000, seconds: 5 } },
  'folder-peer': { summary: 'GET /folder/:id beside the same by hand', defaults: { seconds: 3, rounds: 3 } },
  uploads: { summary: 'accepted uploads a second, beside the floor', defaults: { seconds: 15, parallel: 4 } },
  'part-uploads': { summary: 'a large file in parts beside a form', defaults: { megabytes: 1024 } },
  'restore-file': { summary: 'going back to a large file', defaults: { megabytes: 1024, rounds: 25 } },
  'command-line': {
    summary: 'the command line beside a bare loop and curl; needs curl',
    defaults: { files: 10_000, kilobytes: 200, megabytes: 3_072 },
  },
  folders: { summary: 'GET /folder in companies of many folders', defaults: { folders: 10_000, many: 100_000, rounds: 25, starts: 5 } },
  zips: { summary: 'zips of whole folders, beside common libraries', defaults: { large: 100, small: 10_000 } },
  events: { summary: 'changes at a steady pace: the feed, a webhook, others beside it', defaults: { changes: 10_000, seconds: 60 } },
  backup: { summary: 'a backup of many files, and uploads beside it', defaults: { files: 10_000, seconds: 15 } },
  'large-library': { summary: 'what a client asks that scrolls through a large library', defaults: { files: 100_000, rounds: 51 } },
  'mixed-load': {
    summary: 'many clients who read, search and upload at once',
    defaults: { clients: 64, seconds: 20, files: 20_000 },
  },
  import: { summary: 'imports of photos by the service, against commands', defaults: { photos: 200 } },
  replace: { summary: 'a photo that replaces a file, beside one that becomes a new one', defaults: { rounds: 25, megapixels: 12 } },
  'search-side-by-side': { summary: 'the search engine alone, beside FTS5 by itself', defaults: { files: 200_000, rounds: 51 } },
  'search-after-changes': { summary: 'an index after changes of 1 % of its files, and merged', defaults: { files: 200_000, rounds: 21 } },
  suggest: { summary: 'suggestions to who types, and orders by metadata and folder', defaults: { files: 200_000, rounds: 51 } },
  'link-renders': { summary: 'pictures of links, beside ipx and sharp', defaults: { rounds: 5 } },
  'link-peers': { summary: 'pictures of links, 16 at a time, beside imagor; needs go and libvips-dev', defaults: { rounds: 5 } },
  resizing: { summary: 'the light in which pictures are made smaller: looks and cost; needs cargo', defaults: { rounds: 15 } },
  tiles: { summary: 'tiles of a picture of 100 megapixels (IIIF)', defaults: { tiles: 100 } },
  'link-published': { summary: 'links: published, replaced, gone', defaults: { files: 50 } },
  'video-encode': { summary: 'the stream and the preview of a video, against plain commands', defaults: { rounds: 3, seconds: 20 } },
  console: {
    summary: 'the console: first load, first screen, scrolling; needs Chromium',
    defaults: { files: 100_000, seconds: 30, rounds: 5 },
  },
}

export async function measured(name: string, options: Readonly<Record<string, number>>): Promise<Row[]> {
  const { run }: { run(options: Readonly<Record<string, number>>): Promise<Row[]> } = await import(`./${name}.ts`)
  return run(options)
}
