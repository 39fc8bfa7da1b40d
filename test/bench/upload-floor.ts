/** Process that stores posted files, each with one sync, and does nothing else: `node upload-floor.ts <folder>`. Prints its port. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'

const [folder] = process.argv.slice(2)
const server = createServer((request, response) => {
  const form = new Busboy({ headers: request.headers as BusboyHeaders })
  form.on('file', async (_field, file) => {
    await pipeline(file, createWriteStream(join(folder!, randomUUID()), { flush: true }))
    response.writeHead(303, { location: '/' }).end()
  })
  request.pipe(form)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
