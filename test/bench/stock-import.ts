import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { routeSettings } from '../support/service.ts'
import { untilIdle, watchMemory } from './processes.ts'
import type { Row } from './report.ts'
import { library } from './search-library.ts'
import { type ServiceProcess, startServiceProcess, temporaryData } from './service-process.ts'

/** Words by which all items of a manifest are found. */
const [WORDS, PICTURES] = ['wordsonly', 'withpicture']

/**
 * Imports of manifests into the stock catalogue of a running server, by the command as the operator runs it: items without files, the same again,
 * and items with small pictures.
 * @param options.items without files @param options.files items with files
 */
export async function run({ items = 10_000, files = 500 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const folder = join(data.directory, 'stock')
  await mkdir(folder)
  const words = await wordsManifest(folder, items)
  const pictures = await picturesManifest(folder, files)
  await untilIdle(service.pid)
  const first = await measured(service, words, WORDS, items)
  const again = await measured(service, words, WORDS, items)
  const withFiles = await measured(service, pictures, PICTURES, files)
  return [
    { what: `the command, ${items} items without files`, value: first.command, unit: 's' },
    { what: 'until all of them are found', value: first.found, unit: 's' },
    { what: 'memory of its process, peak', value: first.bytes / 1024 ** 2, unit: 'MB' },
    { what: 'the command, the same manifest again', value: again.command, unit: 's' },
    { what: `the command, ${files} items with files`, value: withFiles.command, unit: 's' },
    { what: 'until all of them are found', value: withFiles.found, unit: 's' },
  ]
}

/** Runs the command. @returns its seconds, those until a word finds all items, and its memory */
async function measured(service: ServiceProcess, manifest: string, word: string, items: number) {
  const authorization = await service.signIn()
  const started = performance.now()
  const bytes = await importManifest(service, manifest)
  const command = (performance.now() - started) / 1000
  while ((await found(service, authorization, word)) < items) await sleep(50)
  return { command, found: (performance.now() - started) / 1000, bytes }
}

/** @returns bytes of memory that the command took at most */
async function importManifest({ directory }: ServiceProcess, manifest: string): Promise<number> {
  const program = join(import.meta.dirname, '../../infra/admin/main.ts')
  const command = spawn(process.execPath, [program, 'stock', 'import', manifest, '--json'], {
    env: { ...process.env, DATA_DIR: directory },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const peak = watchMemory(command.pid!)
  const [, [code]] = await Promise.all([json(command.stdout), once(command, 'close')])
  if (code !== 0) throw new Error(`the command ended with ${code}`)
  return peak()
}

/** How many items a word finds; none while the index is being built. */
async function found(service: ServiceProcess, authorization: string, word: string): Promise<number> {
  const path = `/search/${routeSettings.vendor}/download?q=${word}&media_count=0&return_values=media_id`
  const answer = await service.request(path, { headers: { authorization } })
  if (answer.status === 503) return 0
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { response: { hits: number } }).response.hits
}

/** Items with texts in three languages, as long as those of other benches. */
async function wordsManifest(folder: string, items: number): Promise<string> {
  const entries = Array.from(library(items), ({ title, description, keywords }, id) => {
    const [inTitle = '', inDescription = ''] = [title[0], description[0]]
    return {
      id,
      title: { en: `${inTitle} ${WORDS}`, da: inTitle, de: inTitle },
      description: { en: inDescription, da: inDescription, de: inDescription },
      keywords: { en: keywords, da: keywords, de: keywords },
    }
  })
  return written(folder, 'words.json', entries)
}

/** Items with JPEGs of 640 by 480 pixels, each of other bytes. */
async function picturesManifest(folder: string, files: number): Promise<string> {
  const entries: object[] = []
  for (let n = 0; n < files; n++) {
    const background = { r: n % 256, g: (n >> 4) % 256, b: 128 }
    const picture = sharp({
      create: { width: 640, height: 480, channels: 3, background, noise: { type: 'gaussian', mean: 128, sigma: 20 } },
    })
    await writeFile(join(folder, `${n}.jpg`), await picture.jpeg().toBuffer())
    entries.push({ id: `picture ${n}`, file: `${n}.jpg`, title: { en: `Picture ${n} ${PICTURES}` } })
  }
  return written(folder, 'pictures.json', entries)
}

async function written(folder: string, name: string, entries: readonly object[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, JSON.stringify(entries))
  return path
}
