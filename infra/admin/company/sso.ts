import { type Command, InvalidArgumentError } from 'commander'
import { CALLBACK_PATH, logoutPath } from '../../../functions/sign-on/schema.ts'
import { ProviderFailed } from '../../../shared/backends/openid/port.ts'
import {
  createProvider,
  findProvider,
  listProviders,
  openIdProviderOf,
  type ProviderRecord,
} from '../../../shared/library/accounts/providers.ts'
import { findClique } from '../../../shared/library/cliques/clique.ts'
import { NotFound } from '../../../shared/library/errors.ts'
import type { Reading } from '../../../shared/library/library.ts'
import { removeProvider } from '../../../shared/library/sign-on/remove-provider.ts'
import { isoTime } from '../../../shared/library/time.ts'
import type { CompanyId, ProviderId } from '../../../shared/vocabulary/ids.ts'
import { asciiDomain } from '../../../shared/vocabulary/mail-address.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { textTable } from '../text-table.ts'
import { cliqueId, companyId, firstLine, name, providerId, WrongUsage } from '../values.ts'

interface NewProvider {
  company: CompanyId
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  domains: string[]
  usernameClaim: string
  groups: ProviderRecord['groups']
  createUsers?: boolean
  joinByEmail?: boolean
}

const PROVIDER = ['--provider <id>', 'the provider', providerId] as const

/** `sso add`, `list`, `test`, `remove` */
export function ssoCommands(program: Command, console: Console): void {
  const sso = noun(program, 'sso', 'providers of OpenID Connect where people of a company sign on')

  verb(sso, 'add', 'let people of a company sign on at a provider; prints the addresses to register there', [
    'sso add --company 42 --name Acme --issuer https://login.example.com --client-id library --client-secret - < secret.txt',
    'sso add --company 42 --name Acme --issuer https://login.example.com --client-id library --client-secret - --domains acme.com --create-users --groups editors=51077,press=51078 < secret.txt',
  ])
    .requiredOption('--company <id>', 'the company', companyId)
    .requiredOption('--name <name>', 'what the sign-in page calls it', name)
    .requiredOption('--issuer <url>', 'its address, exactly as it names itself')
    .requiredOption('--client-id <id>', 'id of this library there', clientId)
    .requiredOption('--client-secret <secret>', 'secret of this library there; - takes the first line of standard input')
    .option('--domains <list>', 'only e-mail addresses of these domains, which the provider has verified', domains, [] as string[])
    .option('--username-claim <claim>', 'claim that becomes the username of new users', claim, 'email')
    .option('--groups <list>', 'cliques that groups there give, like editors=51077,press=51078', groups, [] as ProviderRecord['groups'])
    .option('--create-users', 'make who is unknown a user, without rights')
    .option('--join-by-email', 'join who is unknown to the user of the company with the same verified e-mail address')
    .action(
      act<NewProvider>(console, async (library, options) => {
        const { company, name, clientId, domains, usernameClaim, groups } = options
        const { baseUrl, http, warning } = await library.openSignOn()
        const issuer = checkedIssuer(options.issuer, http)
        const clientSecret = await firstLine(options.clientSecret, console)
        if (!/^[!-~]{1,2000}$/.test(clientSecret)) throw new WrongUsage('the client secret must be 1 to 2000 characters without spaces')
        await needCompany(library, company)
        for (const { cliqueId } of groups) await needClique(library, company, cliqueId)
        const flags = { createUsers: options.createUsers ?? false, joinByEmail: options.joinByEmail ?? false }
        const input = { companyId: company, name, issuer, clientId, clientSecret, domains, usernameClaim, groups, ...flags }
        const { providerId } = await createProvider(library, input)
        const json = {
          provider_id: providerId,
          callback_url: baseUrl + CALLBACK_PATH,
          start_url: `${baseUrl}/session/sso/${providerId}`,
          backchannel_logout_uri: baseUrl + logoutPath(providerId),
        }
        const lines = [`Made provider ${providerId}, ${name}. Register there, and try with: sso test --provider ${providerId}`]
        for (const [label, url] of Object.entries(json).slice(1)) lines.push(`${label.padEnd(23)} ${url}`)
        return { json, text: lines.join('\n'), warning }
      }),
    )

  verb(sso, 'list', 'list the providers of a company, without their secrets', ['sso list --company 42'])
    .requiredOption('--company <id>', 'the company', companyId)
    .action(
      act<{ company: CompanyId }>(console, async (library, { company }) => {
        await needCompany(library, company)
        const providers = (await listProviders(library)).filter((one) => one.companyId === company).map(providerJson)
        const rows = providers.map((one) => [one.provider_id, one.name, one.issuer, one.client_id, one.created])
        return { json: providers, text: textTable(['ID', 'NAME', 'ISSUER', 'CLIENT', 'CREATED (UTC)'], rows) }
      }),
    )

  verb(sso, 'test', 'read what a provider says of itself, and its keys', ['sso test --provider 7203311'])
    .requiredOption(...PROVIDER)
    .action(
      act<{ provider: ProviderId }>(console, async (library, options) => {
        const provider = await needProvider(library, options.provider)
        const { openId } = await library.openSignOn()
        const common = { provider_id: provider.providerId, issuer: provider.issuer }
        try {
          const { authorizationEndpoint, keys } = await openId.test(await openIdProviderOf(library, provider))
          const json = { ...common, ok: true, authorization_endpoint: authorizationEndpoint, keys }
          return { json, text: `${provider.name} answers: people sign on at ${authorizationEndpoint}, keys: ${keys}.` }
        } catch (error) {
          if (!(error instanceof ProviderFailed)) throw error
          return { json: { ...common, ok: false, problem: error.message }, text: `${provider.name} fails: ${error.message}.`, failed: true }
        }
      }),
    )

  verb(sso, 'remove', 'remove a provider; the sessions of who signed on there are over at once, the users stay', [
    'sso remove --provider 7203311',
  ])
    .requiredOption(...PROVIDER)
    .action(
      act<{ provider: ProviderId }>(console, async (library, options) => {
        const { providerId, name } = await needProvider(library, options.provider)
        await removeProvider(library, providerId)
        return { json: { provider_id: providerId, removed: true }, text: `Removed provider ${providerId}, ${name}.` }
      }),
    )
}

/** @throws Error in a sentence */
async function needProvider(library: Reading, id: ProviderId): Promise<ProviderRecord> {
  return findProvider(library, id).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error
    throw new Error(`There is no provider ${id}. List those of a company with: sso list --company ID`)
  })
}

/** @throws Error in a sentence */
async function needClique(library: Reading, company: CompanyId, id: ProviderRecord['groups'][number]['cliqueId']): Promise<void> {
  const clique = await findClique(library, id).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error
  })
  if (clique?.companyId !== company) throw new Error(`Company ${company} has no clique ${id}.`)
}

function providerJson(record: ProviderRecord) {
  const { providerId, companyId, name, issuer, clientId, domains, usernameClaim, groups, createUsers, joinByEmail, created } = record
  return {
    provider_id: providerId,
    company_id: companyId,
    name,
    issuer,
    client_id: clientId,
    domains,
    username_claim: usernameClaim,
    groups: groups.map(({ group, cliqueId }) => ({ group, clique_id: cliqueId })),
    create_users: createUsers,
    join_by_email: joinByEmail,
    created: isoTime(created),
  }
}

/** @throws WrongUsage */
function checkedIssuer(text: string, http: boolean): string {
  const url = URL.parse(text)
  const isPlain = url && url.username === '' && url.password === '' && !/[?#\s]/.test(text) && text.length <= 1000
  if (!isPlain || !(url.protocol === 'https:' || (http && url.protocol === 'http:'))) {
    throw new WrongUsage(
      'the issuer must be an https address without user name, query and fragment (http with OIDC_HTTP=1, on one machine)',
    )
  }
  return text
}

/** @throws InvalidArgumentError */
function clientId(value: string): string {
  if (!/^[!-~]{1,255}$/.test(value)) throw new InvalidArgumentError('It must be 1 to 255 characters without spaces.')
  return value
}

/** @throws InvalidArgumentError */
function claim(value: string): string {
  if (!/^[\w:./-]{1,100}$/.test(value)) throw new InvalidArgumentError('It must be the name of a claim, like preferred_username.')
  return value
}

/** @throws InvalidArgumentError */
function domains(value: string): string[] {
  const list = value.split(',').map((domain) => asciiDomain(domain.trim()) ?? '')
  if (list.length > 100 || !list.every((domain) => domain.includes('.'))) {
    throw new InvalidArgumentError('It must be domains, separated by commas, like acme.com,acme.de.')
  }
  return [...new Set(list)]
}

/** @throws InvalidArgumentError */
function groups(value: string): ProviderRecord['groups'] {
  const pairs = value.split(',')
  if (pairs.length > 200) throw new InvalidArgumentError('At most 200 groups give cliques.')
  return pairs.map((pair) => {
    const at = pair.lastIndexOf('=')
    const group = pair.slice(0, at).trim()
    if (at < 1 || group === '') throw new InvalidArgumentError('It must be groups with their cliques, like editors=51077,press=51078.')
    return { group, cliqueId: cliqueId(pair.slice(at + 1).trim()) }
  })
}
