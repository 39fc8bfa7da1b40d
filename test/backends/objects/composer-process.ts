/**
 * Composes in the bucket in the directory named: first it writes the handle as JSON on a line of its own, then it stores parts until it is killed,
 * or as many as told, and writes the most memory it took, in bytes.
 */
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import type { Part } from '../../../shared/backends/objects/port.ts'

const [directory, key, parts = 'Infinity'] = process.argv.slice(2)
const objects = openEmbeddedObjects(directory!)

/** The most memory so far, in bytes. (What the system says of the maximum counts the process that spawned this one, too.) */
let peak = 0
const look = () => {
  peak = Math.max(peak, process.memoryUsage.rss())
}

/** Parts of 8 MiB, each filled with its number. They share their memory, so that it is the bucket's that is measured. */
async function* given(): AsyncGenerator<Part> {
  const bytes = Buffer.alloc(8 * 1024 ** 2)
  for (let number = 1; number <= Number(parts); number += 1) {
    yield { number, bytes: bytes.fill(number) }
    look()
  }
}

const composition = await objects.beginComposition(key!, { contentType: 'application/zip' })
process.stdout.write(`${JSON.stringify(composition)}\n`)
await objects.storeParts(composition, given())
look()
objects.close()
process.stdout.write(`${peak}\n`)
