import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type EndpointName, endpoints } from '../../../functions/endpoints.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { apiClient } from '../../../shared/http/declaration/client.ts'
import { allUses, type Endpoint } from '../../../shared/http/declaration/endpoint.ts'
import type { OpenApiDocument } from '../../../shared/http/openapi/document.ts'
import { beginSession } from '../../../shared/library/accounts/sessions.ts'
import { findUser } from '../../../shared/library/accounts/users.ts'
import { provisioning } from '../../support/accounts.ts'
import { conformity } from '../../support/conformity.ts'
import { elsewhere, routeSettings, startService } from '../../support/service.ts'
import { hmacAuthorization, successes } from '../../support/successes.ts'
import { callerOf, makeFiles, type World } from '../../support/world.ts'

/**
 * Every function is asked with success, by each kind of caller: what they are found by lies in places of its own, which the function may read.
 * What endpoints answer besides is proved on one machine (test/every-endpoint.test.ts): it is the same code.
 */
describe('every function', () => {
  let world: World
  let zipping: World
  let authorizations: { nobody: undefined; user: string; resetter: string }
  let downloads: string
  let conforms: ReturnType<typeof conformity>
  beforeAll(async () => {
    const service = await startService()
    const client = await service.client()
    const accounts = await provisioning(service)
    conforms = conformity((await (await service.request('/openapi.json')).json()) as OpenApiDocument)
    world = { service, client, accounts, ...(await makeFiles(client)) }
    const resetter = hmacAuthorization(await accounts.key(['password_reset']))
    authorizations = { nobody: undefined, user: await service.signIn(), resetter }
    downloads = hmacAuthorization(await accounts.key(['downloads']))
    // A zip is for who asked for it.
    zipping = { ...world, client: await service.client(downloads) }
  })
  afterAll(() => world.accounts.close())

  /** A session that was used last a while ago, so that its use is noted. */
  async function session(): Promise<Record<string, string>> {
    const clock = { ...systemClock, now: () => Date.now() - 300_000 }
    const { secret, session } = await beginSession(
      { table: world.accounts.table, clock },
      (await findUser(world.accounts, world.service.demo.user_id))!,
    )
    return { cookie: `__Host-session=${secret}`, 'sec-fetch-site': 'same-origin', 'x-csrf': session.csrf }
  }

  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name]

    async function succeeds(as: World, authorization?: string, headers?: Record<string, string>): Promise<void> {
      const input = await successes[name](as)
      const isOfNobody = callerOf(endpoint, input) === 'nobody'
      const client = apiClient(
        { [name]: endpoint },
        { baseUrl: as.service.baseUrl, ...routeSettings, ...(authorization && !isOfNobody && { authorization }) },
      )
      const { status, body } = await client[name]!({ ...input, init: { headers: { ...input.init?.headers, ...headers } } })
      assert.ok(status < 400, `${status} ${JSON.stringify(body)}`)
      conforms(endpoint.route(routeSettings), status, body)
    }

    // A deployed service asks no provider on this machine.
    test(name, endpoint.uses.openId ? elsewhere : {}, async () => {
      await succeeds(world, authorizations[callerOf(endpoint)])
      if (endpoint.access === 'user or application') await succeeds(zipping, downloads)
      if (allUses(endpoint).sessions !== undefined) await succeeds(world, undefined, await session())
    })
  }
})
