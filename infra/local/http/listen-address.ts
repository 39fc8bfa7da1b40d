/** Where a server listens, and under which address clients know it where that is another. */
export interface ListenAddress {
  host: string
  port: number
  /** Without trailing slash. */
  publicUrl?: string
}

/** The address under which clients reach a server, without trailing slash. @param port that it listens on */
export function baseUrlOf({ host, publicUrl }: Pick<ListenAddress, 'host' | 'publicUrl'>, port: number): string {
  return publicUrl ?? `http://${hostInUrl(host)}:${port}`
}

/** A server that listens on all addresses is reached on this machine through loopback. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Why a server can't listen, in a sentence that says what to do. @param variable that names the port */
export function listenFailure(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<ListenAddress, 'host' | 'port'>,
  variable = 'PORT',
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(`Port ${port} on ${host} is in use by another program. Stop that one, or set ${variable} to a free port.`)
    case 'EACCES':
      return new Error(`Port ${port} on ${host} is not for ordinary users. Set ${variable} to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(`${host} is no address of this machine. Set HOST to one, or to 127.0.0.1.`)
    default:
      return error
  }
}
