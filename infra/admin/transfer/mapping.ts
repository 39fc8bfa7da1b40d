import { constants } from 'node:fs'
import { access, appendFile, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { csvLine } from './csv.ts'
import type { Taken } from './import-files.ts'

const LINES_AT_ONCE = 1_000

/** A CSV file of old ids and new ones, which an import that ends puts in its place. */
export class Mapping implements AsyncDisposable {
  readonly file: string
  readonly #folder: string
  readonly #unfinished: string
  #lines = [csvLine(['source_id', 'path', 'media_id'])]
  #written: Promise<unknown> = Promise.resolve()

  private constructor(file: string, folder: string) {
    this.file = file
    this.#folder = folder
    this.#unfinished = join(folder, 'mapping.csv')
  }

  /** @throws Error in a sentence where the file can't be written there */
  static async begin(file: string): Promise<Mapping> {
    await access(dirname(file), constants.W_OK).catch((error: Error) => {
      throw new Error(`The list of old and new ids, ${file}, can't be written: ${error.message}.`)
    })
    return new Mapping(file, await mkdtemp(join(tmpdir(), 'media-library-mapping-')))
  }

  async add({ sourceId = '', path, mediaId }: Taken): Promise<void> {
    this.#lines.push(csvLine([sourceId, path, String(mediaId)]))
    if (this.#lines.length >= LINES_AT_ONCE) await this.#write()
  }

  async end(): Promise<void> {
    await this.#write()
    await copyFile(this.#unfinished, this.file)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** One after the other: files are taken several at a time. */
  #write(): Promise<unknown> {
    const lines = this.#lines.splice(0).join('')
    this.#written = this.#written.then(() => appendFile(this.#unfinished, lines))
    return this.#written
  }
}
