import { Writable } from 'node:stream'

/** What a function that streams has sent. */
export class Sent extends Writable {
  head: { statusCode: number; headers: Record<string, string> } | undefined
  readonly chunks: Buffer[] = []
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void) {
    this.chunks.push(Buffer.from(chunk))
    done()
  }
  get text() {
    return Buffer.concat(this.chunks).toString()
  }
}

/** Lambda's own, as far as functions see it: status and headers leave with the first write, and not without one. */
export const awslambda = {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: {
    from(output: Sent, head: NonNullable<Sent['head']>) {
      const write = output.write.bind(output)
      output.write = (chunk: unknown) => {
        output.head = head
        return write(chunk)
      }
      return output
    },
  },
}
