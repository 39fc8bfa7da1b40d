/** Puts objects of 4 MiB into the bucket in the directory named until it is killed, and says `put <n>` of each that was acknowledged. */
import { Readable } from 'node:stream'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'

const objects = openEmbeddedObjects(process.argv[2]!)

function* body(number: number): Generator<Buffer> {
  for (let block = 0; block < 64; block += 1) yield Buffer.alloc(65_536, number % 256)
}

for (let number = 0; ; number += 1) {
  await objects.put(`crash/${number}`, Readable.from(body(number)), { contentType: 'video/mp4' })
  await objects.put('crash/replaced', Readable.from(body(number)), { contentType: 'video/mp4' })
  process.stdout.write(`put ${number}\n`)
}
