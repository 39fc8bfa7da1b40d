import { connect } from 'node:net'

/** Sends bytes to a server as they are and returns all that comes back until the connection ends. */
export async function sendRaw(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('close', () => resolve(received))
  socket.on('error', (error) => (received ? resolve(received) : reject(error)))
  socket.write(bytes)
  return promise
}

/** An answer as it came over the wire. */
export function parseRaw(answer: string): { status: number; headers: Map<string, string>; body: string } {
  const [head = '', body = ''] = answer.split(/\r\n\r\n([\s\S]*)/)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const)
  return { status: Number(statusLine.split(' ')[1]), headers: new Map(headers), body }
}
