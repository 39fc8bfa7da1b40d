import type { IncomingMessage } from 'node:http'

/** Names of this machine in a URL or a `Host` header, with any port. */
const THIS_MACHINE = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i
/** Addresses of loopback connections; a socket of both families writes IPv4 as the last. */
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
/** What proxies add to a request. */
const OF_PROXIES = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/

/** What tells where a request comes from. */
type Received = Pick<IncomingMessage, 'headersDistinct'> & { socket: { remoteAddress?: string | undefined } }

/** Whether the server's address is one that only this machine has. Then no proxy and no network stands before it. */
export function isLocalAddress(baseUrl: string): boolean {
  return THIS_MACHINE.test(new URL(baseUrl).host)
}

/**
 * Whether a request comes from this machine, and from nobody through it: not over the network, not through a proxy, not from another site in
 * a browser of this machine, and not under a foreign name that leads here (DNS rebinding).
 */
export function isFromThisMachine({ socket, headersDistinct }: Received): boolean {
  const { host = [], origin, 'sec-fetch-site': site = ['none'] } = headersDistinct
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    host.length === 1 &&
    THIS_MACHINE.test(host[0] ?? '') &&
    origin === undefined &&
    site.every((each) => each === 'none' || each === 'same-origin') &&
    !Object.keys(headersDistinct).some((name) => OF_PROXIES.test(name))
  )
}
