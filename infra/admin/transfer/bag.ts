import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The payload of an export, of which a bag tells the sums (BagIt 1.0, RFC 8493). */
export class Bag {
  readonly #sums: string[] = []
  readonly #tagSums: string[] = []
  #bytes = 0

  /** @param path from the bag's folder */
  add(path: string, bytes: number, sha256: string): void {
    this.#sums.push(`${sha256}  ${path}\n`)
    this.#bytes += bytes
  }

  addText(path: string, text: string): void {
    this.add(path, Buffer.byteLength(text), sha256Of(text))
  }

  /** Adds a file that is no payload. @param path from the bag's folder */
  addTagFile(path: string, sha256: string): void {
    this.#tagSums.push(`${sha256}  ${path}\n`)
  }

  /** Writes the files that make a folder a bag. @param others further files of the folder that are no payload @param day `2026-05-17` */
  async write(folder: string, others: readonly string[], day: string): Promise<void> {
    const tags: [string, string][] = [
      ['bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'],
      ['bag-info.txt', `Bagging-Date: ${day}\nPayload-Oxum: ${this.#bytes}.${this.#sums.length}\n`],
      ['manifest-sha256.txt', this.#sums.join('')],
    ]
    for (const [name, text] of tags) await writeFile(join(folder, name), text, { flag: 'wx' })
    const sums = tags.map(([name, text]) => `${sha256Of(text)}  ${name}\n`)
    for (const name of others) sums.push(`${await sha256OfFile(join(folder, name))}  ${name}\n`)
    sums.push(...this.#tagSums)
    await writeFile(join(folder, 'tagmanifest-sha256.txt'), sums.join(''), { flag: 'wx' })
  }
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
