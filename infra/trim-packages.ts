import { glob, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg } from '../shared/tools/video/find-ffmpeg.ts'

/** The files of packages that no program of this project reads: patterns below `node_modules`. */
const UNREAD = [
  // Headers, for add-ons that are compiled on this machine: none is.
  'node-linux-*/{include,share}',
  // The same program once more, for CommonJS, for 64 bits, or in bundles.
  '@6over3/zeroperl-ts/dist/cjs',
  '@imagemagick/magick-wasm/dist/x64',
  'mediabunny/{src,dist/bundles}',
  'mediainfo.js/{src,dist/{cjs,umd,esm-bundle}}',
  'csv-parse/dist/{cjs,iife,umd}',
  '{@noble/{curves,hashes},postal-mime}/src',
  'zod/src',
  'hash-wasm/{lib,src,dist/*.min.js}',
  '@tanstack/query-core/{src,build/legacy}',
  'swagger-ui-dist/swagger-ui{,-es-bundle,-es-bundle-core}.js',
  'hls.js/{src,dist/hls.js,dist/hls.light*,dist/hls-demo*,dist/hls.min.mjs,dist/hls.worker.js}',
  'exiftool-vendored.pl/bin/{Changes,*_files}',
  // Of prom-client, infra/local/metrics.ts loads the files of gauges and histograms alone.
  '@opentelemetry/api/dist',
  'bintrees/{dist,examples,test}',
  // For programs in other languages than JavaScript.
  'aws-cdk-lib/{.jsii.gz,.jsii.tabl.json.gz,rosetta}',
  // For stacks that run the AWS CLI or a proxy in a function: this one doesn't.
  '@aws-cdk/asset-*/lib/layer.zip',
  // For people with a debugger, and for readers.
  '**/{*.{map,pod},CHANGELOG.md}',
]

/**
 * Deletes what nobody reads, and the ffmpeg of the packages where the system's can do everything.
 * @param modules the folder `node_modules`
 * @param hasFfmpeg whether the system's ffmpeg is used
 */
export async function trimPackages(modules: string, hasFfmpeg: boolean): Promise<void> {
  const patterns = hasFfmpeg ? [...UNREAD, '@ffmpeg-binary/*/ffmpeg'] : UNREAD
  for await (const path of glob(patterns, { cwd: modules })) await rm(join(modules, path), { recursive: true, force: true })
}

/** `npm ci` runs it when it has installed everything. */
if (import.meta.main) await trimPackages(join(import.meta.dirname, '../node_modules'), (await findFfmpeg(['ffmpeg'])) !== undefined)
