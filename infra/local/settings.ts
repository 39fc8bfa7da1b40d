import { resolve } from 'node:path'
import * as z from 'zod'
import type { NamedNetworks } from '../../shared/backends/outside/addresses.ts'
import { isNetwork, networksIn } from '../../shared/backends/outside/networks.ts'
import type { TargetOptions } from '../../shared/backends/webhooks/http.ts'
import {
  defaultSettings,
  MAX_EVENT_DAYS,
  MAX_PARTS_BYTES,
  MAX_SHARE_BYTES,
  MAX_SHARE_FILES,
  type Settings,
  videoPreviews,
} from '../../shared/settings.ts'
import { isMailAddress } from '../../shared/vocabulary/mail-address.ts'
import { byteSize } from '../homes/byte-size.ts'
import { providerAddress, providerHosts, serviceAddress } from '../homes/service-addresses.ts'
import type { BackupSettings } from './backup/schedule.ts'
import { type LogFormat, logFormats } from './log-format.ts'

/** The settings of the server, which environment variables set. */
export interface ServerSettings {
  /** Address to listen on. */
  host: string
  /** 0 takes any free port. */
  port: number
  /** Port of links and player, which have an origin of their own. Absent where nobody named one. */
  cdnPort?: number
  /** Where links and streams were before, without trailing slash. */
  formerCdnUrls: readonly string[]
  /** Absolute path of the data folder. */
  dataDirectory: string
  /** Address of the proxy under which clients know the server, without trailing slash; absent without a proxy. */
  publicUrl?: string
  /** `From` of e-mails. */
  mailSender: string
  /** URL of the mail server, which may hold a password. Without one, mails are written into the data folder. */
  mailUrl?: string
  /** The operator's provider of stock. Without one the stock library is the catalogue. */
  stockProvider?: StockProviderSettings
  /** Address of the operator's service that suggests keywords for pictures, without trailing slash. Without one none are suggested. */
  keywordsUrl?: string
  /** Where webhooks may be besides public servers by https. */
  webhooks: Pick<TargetOptions, 'plainHttp' | 'allowed' | 'refused'>
  /** Providers of sign-on besides those on the public internet by TLS. */
  openId: { http: boolean } & NamedNetworks
  /** Where and when the server backs itself up. Without them it doesn't. */
  backups?: BackupSettings
  /** Who gets e-mails about what needs the operator. */
  mailOperator?: string
  /** Lets others than this machine read the metrics. */
  metricsToken?: string
  /** Absent: text on a terminal, JSON elsewhere. */
  logFormat?: LogFormat
  /** Most bytes of rendered pictures of links that are kept on the disk. */
  linkCacheBytes: number
  /** Whether the first start makes a demo company. */
  demo: boolean
  /** The service's settings. Player and links are at the port of their own where they have no address of their own. */
  service: Omit<Settings, OwnHosts> & Partial<Pick<Settings, OwnHosts>>
}

export interface StockProviderSettings {
  /** Without trailing slash. */
  baseUrl: string
  /** Authenticates the library at the provider. */
  key: string | undefined
  /** Hosts besides the provider's own to which its answers may send clients. */
  hosts: readonly string[]
}

/** The settings that are hosts of their own behind a proxy. */
type OwnHosts = 'playerUrl' | 'cdnUrl'

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `a whole number from ${min} to ${max}`)

const MAX_LINK_CACHE_BYTES = 1024 ** 4

const address = z.string().regex(/^https?:\/\/[^/?#\s]+$/, 'an address without a path, like https://media.example.com')

const formerCdnUrls = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim()))
  .refine(
    (urls) => urls.every((url) => /^https?:\/\/[^/?#\s]+(\/-\/links)?$/.test(url) && URL.canParse(url)),
    'former addresses of links, separated by commas, like https://cdn.example.com,http://media.example.com:14001/-/links',
  )

const networkList = z
  .string()
  .transform(networksIn)
  .refine((all) => all.every(isNetwork), 'networks, separated by commas, like 10.1.0.0/16,fd00::/8')

/** In the order in which the README lists them. */
const variables = z
  .object({
    PORT: wholeNumber(0, 65_535).default(4000),
    HOST: z
      .string()
      .regex(/^[\w.:-]{1,253}$/, 'a host name or network address, like 127.0.0.1')
      .default('127.0.0.1'),
    DATA_DIR: z.string().default('data'),
    DEMO: z.enum(['0', '1'], '0 or 1').default('1'),
    BASE_URL: address.optional(),
    CDN_PORT: wholeNumber(0, 65_535).optional(),
    CDN_URL: address.optional(),
    PLAYER_URL: address.optional(),
    FORMER_CDN_URLS: formerCdnUrls.default([]),
    BRAND: z
      .string()
      .regex(/^[A-Z][A-Z0-9]{1,15}$/, '2 to 16 upper-case letters and digits, a letter first')
      .default(defaultSettings.brand),
    VENDOR: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'one path segment of lower-case letters, digits and hyphens')
      .default(defaultSettings.vendor),
    TOKEN_LIFETIME_DAYS: wholeNumber(1, 3650).default(defaultSettings.tokenLifetimeDays),
    MAX_UPLOAD_BYTES: byteSize(MAX_PARTS_BYTES).default(defaultSettings.maxUploadBytes),
    SHARE_MAX_FILES: wholeNumber(1, MAX_SHARE_FILES).default(defaultSettings.shareMaxFiles),
    SHARE_MAX_BYTES: byteSize(MAX_SHARE_BYTES).default(defaultSettings.shareMaxBytes),
    VIDEO_PREVIEWS: z.enum(videoPreviews, videoPreviews.join(' or ')).default(defaultSettings.videoPreviews),
    EVENT_DAYS: wholeNumber(1, MAX_EVENT_DAYS).default(defaultSettings.eventDays),
    LINK_CACHE_BYTES: byteSize(MAX_LINK_CACHE_BYTES).default(1024 ** 3),
    STOCK_PROVIDER_URL: providerAddress.optional(),
    STOCK_PROVIDER_KEY: z
      .string()
      .regex(/^[!-~]{1,4096}$/, 'a key without spaces')
      .optional(),
    STOCK_PROVIDER_HOSTS: providerHosts.optional(),
    KEYWORDS_URL: serviceAddress('https://keywords.example.com').optional(),
    WEBHOOK_HTTP: z.enum(['0', '1'], '0 or 1').default('0'),
    WEBHOOK_ALLOW: networkList.default([]),
    OIDC_HTTP: z.enum(['0', '1'], '0 or 1').default('0'),
    OIDC_ALLOW: networkList.default([]),
    OUTSIDE_REFUSE: networkList.default([]),
    MAIL_SENDER: z.email('an e-mail address').default('library@example.com'),
    MAIL_URL: z.string().refine(isMailServer, 'the address of a mail server, like smtp://user:password@mail.example.com:587').optional(),
    MAIL_OPERATOR: z.string().refine(isMailAddress, 'an e-mail address').optional(),
    METRICS_TOKEN: z
      .string()
      .regex(/^[!-~]{1,4096}$/, 'a secret without spaces')
      .optional(),
    LOG_FORMAT: z.enum(logFormats, logFormats.join(' or ')).optional(),
    BACKUP_TO: z.string().optional(),
    BACKUP_AT: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day from 00:00 to 23:59, like 03:30')
      .default('03:00'),
  })
  .refine((given) => given.STOCK_PROVIDER_URL || !(given.STOCK_PROVIDER_KEY || given.STOCK_PROVIDER_HOSTS), {
    error: 'set where key or hosts of the provider are',
    path: ['STOCK_PROVIDER_URL'],
  })

/**
 * Reads the server's settings. An empty variable counts as not set.
 * @param directory what a relative `DATA_DIR` is relative to
 * @throws Error that names every wrong variable and what it should be
 */
export function readSettings(environment: NodeJS.ProcessEnv, directory = process.cwd()): ServerSettings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = variables.safeParse(given)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')} must be ${issue.message}`)
    throw new Error(`Some settings can't be used:\n${problems.join('\n')}`)
  }
  const { HOST, PORT, DATA_DIR, DEMO, BASE_URL, CDN_PORT, FORMER_CDN_URLS, MAIL_SENDER, MAIL_URL, LINK_CACHE_BYTES } = parsed.data
  const { STOCK_PROVIDER_URL, STOCK_PROVIDER_KEY, STOCK_PROVIDER_HOSTS = [], KEYWORDS_URL } = parsed.data
  const { MAIL_OPERATOR, METRICS_TOKEN, LOG_FORMAT, BACKUP_TO, BACKUP_AT } = parsed.data
  const { WEBHOOK_HTTP, WEBHOOK_ALLOW } = parsed.data
  const { OIDC_HTTP, OIDC_ALLOW, OUTSIDE_REFUSE } = parsed.data
  const [hour, minute] = BACKUP_AT.split(':').map(Number) as [number, number]
  const { BRAND, VENDOR, TOKEN_LIFETIME_DAYS, MAX_UPLOAD_BYTES, VIDEO_PREVIEWS, EVENT_DAYS, CDN_URL, PLAYER_URL } = parsed.data
  const { SHARE_MAX_FILES, SHARE_MAX_BYTES } = parsed.data
  return {
    host: HOST,
    port: PORT,
    dataDirectory: dataDirectory(DATA_DIR, directory),
    ...(BASE_URL && { publicUrl: BASE_URL }),
    ...(CDN_PORT !== undefined && { cdnPort: CDN_PORT }),
    formerCdnUrls: FORMER_CDN_URLS,
    mailSender: MAIL_SENDER,
    ...(MAIL_URL && { mailUrl: MAIL_URL }),
    ...(MAIL_OPERATOR && { mailOperator: MAIL_OPERATOR }),
    ...(METRICS_TOKEN && { metricsToken: METRICS_TOKEN }),
    ...(LOG_FORMAT && { logFormat: LOG_FORMAT }),
    openId: { http: OIDC_HTTP === '1', allowed: OIDC_ALLOW, refused: OUTSIDE_REFUSE },
    ...(BACKUP_TO && { backups: { target: resolve(directory, BACKUP_TO), at: { hour, minute } } }),
    linkCacheBytes: LINK_CACHE_BYTES,
    demo: DEMO === '1',
    ...(STOCK_PROVIDER_URL && {
      stockProvider: { baseUrl: STOCK_PROVIDER_URL, key: STOCK_PROVIDER_KEY, hosts: STOCK_PROVIDER_HOSTS },
    }),
    ...(KEYWORDS_URL && { keywordsUrl: KEYWORDS_URL }),
    webhooks: { plainHttp: WEBHOOK_HTTP === '1', allowed: WEBHOOK_ALLOW, refused: OUTSIDE_REFUSE },
    service: {
      brand: BRAND,
      vendor: VENDOR,
      tokenLifetimeDays: TOKEN_LIFETIME_DAYS,
      maxUploadBytes: MAX_UPLOAD_BYTES,
      shareMaxFiles: SHARE_MAX_FILES,
      shareMaxBytes: SHARE_MAX_BYTES,
      videoPreviews: VIDEO_PREVIEWS,
      eventDays: EVENT_DAYS,
      ...(CDN_URL && { cdnUrl: CDN_URL }),
      ...(PLAYER_URL && { playerUrl: PLAYER_URL }),
    },
  }
}

function isMailServer(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.search !== '') return false
  try {
    return decodeURIComponent(url.username + url.password) !== undefined
  } catch {
    // A `%` that begins no escape.
    return false
  }
}

/** Absolute path of the data folder. @param name `DATA_DIR` */
export function dataDirectory(name: string | undefined, directory = process.cwd()): string {
  return resolve(directory, name || 'data')
}

/**
 * The service's settings. Player and links have addresses of their own, or are below one that they share.
 * @param shownUrl without trailing slash
 */
export function settingsAt(shownUrl: string, service: ServerSettings['service']): Settings {
  return { cdnUrl: `${shownUrl}/-/links`, playerUrl: `${shownUrl}/-/player`, ...service }
}
