import * as z from 'zod'
import { isNetwork, networksIn } from '../../../shared/backends/outside/networks.ts'
import {
  defaultSettings,
  MAX_EVENT_DAYS,
  MAX_PARTS_BYTES,
  MAX_SHARE_BYTES,
  MAX_SHARE_FILES,
  storageClasses,
  videoPreviews,
} from '../../../shared/settings.ts'
import { byteSize } from '../../homes/byte-size.ts'
import { providerAddress, providerHosts } from '../../homes/service-addresses.ts'
import { searchEngines } from '../search-engines.ts'
import { permissionsBoundary, qualifier, tags } from './account-settings.ts'
import type { GivenSettings } from './kept-settings.ts'

/** Values given on the command line (`-c retain=true`) arrive as strings. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
const hostName = z.string().regex(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'a host name in lower case')

const bucketName = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket')
const secretArn = z
  .string()
  .regex(
    /^arn:aws:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]{1,512}-[A-Za-z0-9]{6}$/,
    'the ARN of a secret of Secrets Manager, with the hyphen and six characters at its end (a policy names no secret without them)',
  )

/** The key that a destroyed stack kept. */
const keptKeyArn = z
  .string()
  .regex(
    /^arn:aws:ssm:[a-z0-9-]+:\d{12}:parameter\/media-library(\/[\w.-]+){3}$/,
    'the output ApiSecretsKeyArn of the stack that kept the key: the ARN of a parameter',
  )

/** Days for which CloudWatch can keep logs. */
const retentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653] as const

/** What gives host names of one's own a certificate. */
const certified = ({ certificateArn, hostedZoneId }: { certificateArn?: string | undefined; hostedZoneId?: string | undefined }) =>
  certificateArn ?? hostedZoneId

const deploymentSettings = z
  .object({
    stackName: z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,27}$/, 'a letter, then up to 27 letters, digits and hyphens'),
    brand: z.string().regex(/^[A-Z][A-Z0-9]{1,15}$/, '2 to 16 upper-case letters and digits, a letter first'),
    vendor: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'one path segment of lower-case letters, digits and hyphens'),
    tokenLifetimeDays: z.coerce.number().int().min(1).max(3650),
    maxUploadBytes: byteSize(MAX_PARTS_BYTES),
    shareMaxFiles: z.coerce.number().int().min(1).max(MAX_SHARE_FILES),
    shareMaxBytes: byteSize(MAX_SHARE_BYTES),
    videoPreviews: z.enum(videoPreviews),
    eventDays: z.coerce.number().int().min(1).max(MAX_EVENT_DAYS),
    importConcurrency: z.coerce.number().int().min(1).max(1000),
    consumerConcurrency: z.coerce.number().int().min(1).max(1000).optional(),
    renderConcurrency: z.coerce.number().int().min(0).max(1000),
    linkSizeSteps: flag,
    linkWebAclArn: z
      .string()
      .regex(
        /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]{1,128}\/[0-9a-f-]{36}$/,
        'the ARN of a web ACL for CloudFront, in us-east-1',
      )
      .optional(),
    searchEngine: z.enum(searchEngines),
    searchAdminArn: z
      .string()
      .regex(/^arn:aws[a-z-]*:iam::\d{12}:(role|user)\/[\w+=,.@/-]{1,512}$/, 'the ARN of a role or user of IAM')
      .optional(),
    stockProviderUrl: providerAddress.optional(),
    stockProviderKeyArn: secretArn.optional(),
    stockProviderHosts: providerHosts.optional(),
    outsideRefuse: z
      .string()
      .transform(networksIn)
      .refine((all) => all.every(isNetwork), 'networks, separated by commas, like 192.0.2.0/24,2001:db8::/32')
      .default([]),
    mailSender: z.email(),
    alarmEmail: z.email().optional(),
    dashboard: flag,
    logRetentionDays: z.coerce
      .number()
      .refine((days): days is (typeof retentionDays)[number] => retentionDays.some((allowed) => allowed === days), {
        error: `one of ${retentionDays.join(', ')}`,
      }),
    retain: flag,
    storageClass: z.enum(storageClasses),
    tags: tags.optional(),
    permissionsBoundary: permissionsBoundary.optional(),
    qualifier: qualifier.optional(),
    adoptTable: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{3,255}$/, 'the name of a table')
      .optional(),
    adoptMediaBucket: bucketName.optional(),
    adoptPublicBucket: bucketName.optional(),
    adoptApiSecretsKeyArn: keptKeyArn.optional(),
    apiDomain: hostName.optional(),
    deliveryDomain: hostName.optional(),
    cdnDomain: hostName.optional(),
    formerCdnDomains: z
      .string()
      .transform((text) => text.split(',').map((name) => name.trim()))
      .pipe(z.array(hostName))
      .default([]),
    playerDomain: hostName.optional(),
    certificateArn: z
      .string()
      .regex(
        /^arn:aws:acm:us-east-1:\d{12}:certificate\/[0-9a-f-]{36}$/,
        'the ARN of an ACM certificate in us-east-1 (CloudFront takes no other)',
      )
      .optional(),
    hostedZoneId: z
      .string()
      .regex(/^Z[A-Z0-9]{1,31}$/, 'the id of a hosted zone of Route 53, as Z0123456789ABCDEFGHIJ')
      .optional(),
  })
  .refine(({ searchEngine, searchAdminArn }) => searchEngine !== 'opensearch' || searchAdminArn, {
    error: 'OpenSearch lets in whom it knows: name the role or user of IAM that runs the command "search rebuild"',
    path: ['searchAdminArn'],
  })
  .refine((settings) => [settings.apiDomain, settings.deliveryDomain, certified(settings)].every((part, _, all) => !part === !all[0]), {
    error: 'own host names need all of apiDomain, deliveryDomain and certificateArn, or hostedZoneId in its place',
    path: ['certificateArn'],
  })
  .refine(({ cdnDomain, ...settings }) => !cdnDomain || certified(settings), {
    error: 'an own host name of links needs apiDomain, deliveryDomain and certificateArn, too',
    path: ['cdnDomain'],
  })
  .refine(({ playerDomain, ...settings }) => !playerDomain || certified(settings), {
    error: 'an own host name of the player needs apiDomain, deliveryDomain and certificateArn, too',
    path: ['playerDomain'],
  })
  .refine(
    ({ stockProviderUrl, stockProviderKeyArn, stockProviderHosts }) => stockProviderUrl || !(stockProviderKeyArn || stockProviderHosts),
    {
      error: 'key and hosts of a provider need its address, too',
      path: ['stockProviderUrl'],
    },
  )

/** An operator's settings of a deployed stack, from the context of cdk.json. */
export type DeploymentSettings = z.output<typeof deploymentSettings>

const defaults: Partial<DeploymentSettings> = {
  stackName: 'media-library',
  brand: defaultSettings.brand,
  vendor: defaultSettings.vendor,
  tokenLifetimeDays: defaultSettings.tokenLifetimeDays,
  maxUploadBytes: defaultSettings.maxUploadBytes,
  shareMaxFiles: defaultSettings.shareMaxFiles,
  shareMaxBytes: defaultSettings.shareMaxBytes,
  videoPreviews: defaultSettings.videoPreviews,
  eventDays: defaultSettings.eventDays,
  // New accounts have ten concurrent executions in all.
  importConcurrency: 5,
  // Anybody may ask for pictures of links: ten at a time cost 1.40 dollars an hour.
  renderConcurrency: 10,
  linkSizeSteps: false,
  searchEngine: 'embedded',
  mailSender: 'library@example.com',
  // It would be half of what an idle stack costs.
  dashboard: false,
  logRetentionDays: 30,
  retain: false,
  storageClass: 'STANDARD',
}

/** The host names of the operator's own that a stack serves. */
export function hostNames({ apiDomain, deliveryDomain, cdnDomain, playerDomain }: HostSettings): string[] {
  return [apiDomain, deliveryDomain, cdnDomain, playerDomain].filter((host) => host !== undefined)
}

type HostSettings = Pick<DeploymentSettings, 'apiDomain' | 'deliveryDomain' | 'cdnDomain' | 'playerDomain'>

/** Every context key that is a setting. */
export const settingNames = Object.keys(deploymentSettings.shape) as (keyof DeploymentSettings)[]

/**
 * The settings that are not as they are by default, but for the stack's name.
 * @param context as for `readSettings`
 */
export function changedSettings(context: (key: string) => unknown): GivenSettings {
  const texts = settingNames.map((name) => [name, String(context(name) ?? '')] as const)
  return Object.fromEntries(texts.filter(([name, text]) => name !== 'stackName' && text !== '' && text !== String(defaults[name] ?? '')))
}

/**
 * Reads and checks the settings of a deployment.
 * @param context looks up one key of the CDK context; undefined or an empty string where it isn't set
 * @throws Error that names every wrong setting and what it should be
 */
export function readSettings(context: (key: string) => unknown): DeploymentSettings {
  const given = Object.fromEntries(
    settingNames.map((name) => [name, context(name)]).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = deploymentSettings.safeParse({ ...defaults, ...given })
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`wrong settings (-c, or the context of cdk.json):\n${problems.join('\n')}`)
}
