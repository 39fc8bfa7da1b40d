import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** What a name server says of a name: its addresses, that it isn't there, or nothing at all. */
export type DnsAnswer = readonly string[] | 'unknown' | 'silent'

const TYPE = { A: 1, AAAA: 28 }
const NAME_ERROR = 3

/**
 * A name server on loopback (RFC 1035, 4.1), until the end of the test. Of addresses it tells those of the family that is asked for.
 * @returns its address, and the names for which addresses of IPv4 were asked
 */
export async function dnsServer(answerOf: (name: string) => DnsAnswer): Promise<{ address: string; asked: string[] }> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (question, { port, address }) => {
    const { name, end } = nameIn(question)
    const type = question.readUInt16BE(end)
    if (type === TYPE.A) asked.push(name)
    const answer = answerOf(name)
    if (answer !== 'silent') socket.send(answered(question, end, type, answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

/** The name of the one question, and where it ends. */
function nameIn(question: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function answered(question: Buffer, end: number, type: number, answer: Exclude<DnsAnswer, 'silent'>): Buffer {
  const addresses = answer === 'unknown' ? [] : answer.filter((address) => address.includes(':') === (type === TYPE.AAAA))
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8180 | (answer === 'unknown' ? NAME_ERROR : 0), 2)
  header.writeUInt16BE(addresses.length, 6)
  header.fill(0, 8, 12)
  const records = addresses.map((address) => {
    const data = bytesOf(address)
    const record = Buffer.alloc(12)
    // The name is that of the question. The time to live is 0.
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, question.subarray(12, end + 4), ...records])
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
