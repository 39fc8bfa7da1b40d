import type { LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'

/** Paths of the files with the system's own names, and with its search domains. */
export interface SystemFiles {
  hosts: string
  resolv: string
}

export const SYSTEM_FILES: SystemFiles = {
  hosts: process.platform === 'win32' ? join(process.env.SystemRoot ?? '', 'System32/drivers/etc/hosts') : '/etc/hosts',
  resolv: '/etc/resolv.conf',
}

/** What the system's files say about a name. */
export interface SystemName {
  /** Its addresses, if the system knows it. */
  addresses: LookupAddress[]
  /** The names to ask name servers for, in order. */
  candidates: string[]
}

/** Resolves a name without name servers: hosts(5), `localhost` (RFC 6761, 6.3), and the search domains of resolv.conf(5). */
export async function readSystemNames(host: string, files: SystemFiles): Promise<SystemName> {
  const name = host.replace(/\.$/, '').toLowerCase()
  const known = (await linesOf(files.hosts)).filter(([, ...names]) => names.some((each) => each.toLowerCase() === name))
  const isLocal = name === 'localhost' || name.endsWith('.localhost')
  const addresses = known.length === 0 && isLocal ? ['127.0.0.1', '::1'] : known.map(([address = '']) => address)
  return {
    // Addresses with a zone (`fe80::1%lo0`) are local.
    addresses: addresses.flatMap((address) => (isIP(address) && !address.includes('%') ? [{ address, family: isIP(address) }] : [])),
    candidates: host.endsWith('.') ? [host] : await completed(host, files),
  }
}

/** Names without a dot are tried with a search domain first, others are tried without one first. */
async function completed(host: string, { resolv }: SystemFiles): Promise<string[]> {
  const search = (await linesOf(resolv)).filter(([keyword]) => keyword === 'search' || keyword === 'domain').at(-1) ?? []
  const inDomains = search.slice(1).map((domain) => `${host}.${domain}`)
  return host.includes('.') ? [host, ...inDomains] : [...inDomains, host]
}

/** The words of each line of a file, without comments. Empty if it can't be read. */
async function linesOf(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  )
}
