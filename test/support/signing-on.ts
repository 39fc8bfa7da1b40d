import { afterAll } from 'vitest'
import { runCommand } from '../infra/admin/run-command.ts'
import { loopbackProviders, type OpenIdServer, startOpenIdServer } from './openid-server.ts'
import type { Service } from './service.ts'
import { serviceWithAccounts } from './service-with-accounts.ts'

/** A service with accounts, and a provider that people sign on at, for all tests of the suite that calls this. */
export async function serviceWithSignOn() {
  const made = await serviceWithAccounts(loopbackProviders)
  const { service } = made
  const server = await startOpenIdServer()
  afterAll(() => server[Symbol.asyncDispose]())
  return {
    ...made,
    server,
    browser: () => browserOf(service, server),
    addProvider: (...more: string[]) => addProviderTo(service, server, ...more),
    operate: (...args: string[]) => operate(service, args),
    /** Moves the clocks of both; by default so far that the service remembers nothing of the provider. */
    pass(seconds = 301) {
      service.advance(seconds)
      server.passed += seconds
    },
  }
}

/** A cookie jar of one browser, by names. */
class Jar {
  readonly #cookies = new Map<string, string>()

  /** Takes the cookies of an answer. */
  take(response: Response): Response {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }

  get header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  get(name: string): string | undefined {
    return this.#cookies.get(name)
  }

  has(name: string): boolean {
    return this.#cookies.has(name)
  }
}

/** A browser that signs on. */
function browserOf(service: Service, server: OpenIdServer) {
  const jar = new Jar()
  const get = async (path: string, headers: Record<string, string> = {}) =>
    jar.take(await service.request(path, { headers: { cookie: jar.header, ...headers } }))
  const pathOf = (url: string) => url.slice(service.baseUrl.length)
  return {
    jar,
    get,
    /** Goes to the provider and agrees. @returns the path that leads back */
    async begin(provider: number, returnTo?: string): Promise<string> {
      const start = await get(`/session/sso/${provider}${returnTo === undefined ? '' : `?return=${encodeURIComponent(returnTo)}`}`)
      if (start.status !== 302) throw new Error(`${start.status} ${await start.text()}`)
      return pathOf(await server.agree(start.headers.get('location')!))
    },
    /** Signs on. @returns the answer to the callback */
    async signOn(provider: number, returnTo?: string): Promise<Response> {
      return get(await this.begin(provider, returnTo))
    },
    /** Status of `GET /session`, as a page of the host asks it. */
    async session(): Promise<{ status: number; body: Record<string, unknown> }> {
      const response = await get('/session', { 'sec-fetch-site': 'same-origin' })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
  }
}

/** Makes a provider by the operator's command. @returns its id, and the addresses to register */
export async function addProviderTo(service: Service, server: OpenIdServer, ...more: string[]) {
  const company = String(service.demo.company_id)
  const { issuer, clientId } = server
  const args = ['--company', company, '--name', 'Acme', '--issuer', issuer, '--client-id', clientId, '--client-secret', '-', ...more]
  return (await operate(service, ['sso', 'add', ...args], `${server.clientSecret}\n`)) as {
    provider_id: number
    callback_url: string
    start_url: string
    backchannel_logout_uri: string
  }
}

/** Runs a command of the operator that has to succeed. */
// biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it.
async function operate(service: Service, args: string[], input = ''): Promise<any> {
  const settings = { ...loopbackProviders, BASE_URL: service.baseUrl }
  const { code, out, error } = await runCommand(service.directory!, [...args, '--json'], input, settings)
  if (code !== 0) throw new Error(`${args.join(' ')}: exit ${code}: ${out}${error}`)
  return JSON.parse(out)
}
