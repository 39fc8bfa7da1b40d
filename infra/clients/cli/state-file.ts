import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What became of a file of the disk. */
export interface Kept {
  bytes: number
  /** Milliseconds. */
  modified: number
  /** Of the file in the library. */
  media?: number
  /** What an upload that was begun goes on by. It is no token: it only makes a file of what was sent. */
  resume?: string
  /** The file of the library whose next version it becomes when it is uploaded. */
  versionOf?: number
  /** The file of the library that goes to the trash when it is uploaded. */
  replaces?: number
  /** Which version of the file in the library it is, where it isn't the first. */
  number?: number | undefined
  /** Of the bytes, in hex, where they were read. */
  md5?: string | undefined
  /** Of what was downloaded. */
  version?: number
}

/**
 * Remembers what became of files, across runs that are killed: each change is a line that is written before the next step. A later line wins.
 */
export class StateFile {
  readonly #path: string
  readonly #kept = new Map<string, Kept>()

  /** @param folder where state files are @param of whom, and for what */
  constructor(folder: string, of: readonly string[]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#path = join(folder, `${createHash('sha256').update(of.join('\n')).digest('hex').slice(0, 24)}.jsonl`)
    const lines = this.#read()
    if (lines > this.#kept.size * 2 + 100) this.#compact()
  }

  /** @returns undefined where the file was never seen, or has changed since */
  get(key: string, { bytes, modified }: Pick<Kept, 'bytes' | 'modified'>): Kept | undefined {
    const kept = this.#kept.get(key)
    return kept?.bytes === bytes && kept.modified === modified ? kept : undefined
  }

  /** What became of a file before it changed, too. */
  last(key: string): Kept | undefined {
    return this.#kept.get(key)
  }

  keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept)
    appendFileSync(this.#path, lineOf(key, kept), { mode: 0o600 })
  }

  #read(): number {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw error
    }
    const lines = text.split('\n')
    for (const line of lines) {
      try {
        const [key, kept] = JSON.parse(line)
        this.#kept.set(key, kept)
      } catch {
        // The last line of a run that was killed may be cut off.
      }
    }
    if (text !== '' && !text.endsWith('\n')) appendFileSync(this.#path, '\n')
    return lines.length
  }

  #compact(): void {
    const unfinished = `${this.#path}.${process.pid}`
    writeFileSync(unfinished, [...this.#kept].map(([key, kept]) => lineOf(key, kept)).join(''), { mode: 0o600 })
    renameSync(unfinished, this.#path)
  }
}

const lineOf = (key: string, kept: Kept): string => `${JSON.stringify([key, kept])}\n`
