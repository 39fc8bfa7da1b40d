import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** Largest line, in bytes. */
const MAX_LINE_BYTES = 2 * 1024 * 1024

/**
 * The values of a manifest in JSON lines, with one line in memory at a time. A JSON array is taken, too, and is in memory as a whole.
 * @throws Error whose message follows the file's name
 */
export async function* jsonRows(file: string): AsyncGenerator<unknown> {
  if (await isArray(file)) return yield* JSON.parse((await readFile(file, 'utf8')).trim())
  let number = 0
  for await (const line of lines(file)) {
    number++
    const text = line.trim()
    if (text === '') continue
    try {
      yield JSON.parse(text)
    } catch {
      throw new Error(`line ${number} is no JSON. JSON lines hold one object on each line.`)
    }
  }
}

async function isArray(file: string): Promise<boolean> {
  for await (const start of createReadStream(file, { encoding: 'utf8', end: 1023 })) return start.trimStart().startsWith('[')
  return false
}

/** `readline` would take a line of any length into memory. */
async function* lines(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    if (rest.length > MAX_LINE_BYTES) throw new Error('it has a line that is too large.')
    yield* parts
  }
  if (rest !== '') yield rest
}
