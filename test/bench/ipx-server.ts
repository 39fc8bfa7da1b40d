/** Process that serves a folder by ipx: `node ipx-server.ts <URL of its module> <folder>`. Prints its port. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What of the package is used here. It is no dependency of the project. */
interface Ipx {
  createIPX(options: { storage: unknown; sharpOptions: { jpegProgressive: boolean } }): unknown
  createIPXNodeServer(ipx: unknown): RequestListener
  ipxFSStorage(options: { dir: string }): unknown
}

const [module, folder] = process.argv.slice(2)
const { createIPX, createIPXNodeServer, ipxFSStorage }: Ipx = await import(module!)
const ipx = createIPX({ storage: ipxFSStorage({ dir: folder! }), sharpOptions: { jpegProgressive: false } })
const server = createServer(createIPXNodeServer(ipx))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
