import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import type { ServiceTables } from '../../../../infra/aws/bundling/entries.ts'
import { writtenTemplates } from '../../../../infra/aws/deploy/written-templates.ts'
import type { SharedPolicyIds } from '../../../../infra/aws/stack/response-headers.ts'
import { changedSettings, readSettings } from '../../../../infra/aws/stack/settings.ts'
import { MediaLibraryStack } from '../../../../infra/aws/stack/stack.ts'
import { wholeTemplate } from '../../../support/whole-template.ts'

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of any shape; tests say what they expect where.
export type Json = any

export interface Resource {
  id: string
  type: string
  properties: Json
  deletionPolicy: string | undefined
}

/** A synthesized template, without bundling. What is in nested stacks is in it, too. */
export interface Synthesized {
  template: Json
  resources: Resource[]
  /** The resources of one type. */
  ofType(type: string): Resource[]
}

/** A cache policy of CloudFront's own. */
export const CACHING_OPTIMIZED = '658327ea-f89d-4fab-a63d-7e88639e58f6'

/** Settings of a stack with host names of its own. */
export const ownHosts = {
  ...{
    apiDomain: 'api.example.com',
    deliveryDomain: 'files.example.com',
    cdnDomain: 'cdn.example.com',
    playerDomain: 'player.example.com',
  },
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000',
}

/** Settings of a stack that takes over all that an earlier one kept. */
export const adoptedSettings = {
  adoptTable: 'library-restored',
  adoptMediaBucket: 'library-media-kept',
  adoptPublicBucket: 'library-public-kept',
  adoptApiSecretsKeyArn: 'arn:aws:ssm:eu-west-1:123456789012:parameter/media-library/library/9c1e/apiSecretsKey',
}

/** Of a stack with the other search engine. */
export const openSearchSettings = { searchEngine: 'opensearch', searchAdminArn: 'arn:aws:iam::123456789012:role/operator' }

/** A stack to make. */
interface Wanted {
  tables: ServiceTables
  /** Settings as in cdk.json. */
  context?: Record<string, unknown>
  lacking?: string | undefined
  code?: (key: string) => Code
}

/**
 * Makes the stack as `cdk synth` makes it, but for the packages of functions; written.synth.ts holds it to that.
 * @param use looks at the stack, and at its files in a folder
 */
export function withStack<T>(
  { tables, context = {}, lacking, code = () => Code.fromInline('export const handler = 0') }: Wanted,
  use: (stack: MediaLibraryStack, folder: string) => T,
): T {
  const outdir = mkdtempSync(join(tmpdir(), 'synthesized-'))
  try {
    return use(stackIn(outdir, { tables, context, lacking, code }), outdir)
  } finally {
    rmSync(outdir, { recursive: true })
  }
}

function stackIn(outdir: string, { tables, context = {}, lacking, code }: Wanted & Required<Pick<Wanted, 'code'>>): MediaLibraryStack {
  // Checks find a template that is too large (template-checks.ts, written.synth.ts): here a stack may have more resources.
  const limits = { '@aws-cdk/core:stackResourceLimit': 0, '@aws-cdk/core:suppressTemplateIndentation': true }
  const app = new App({ analyticsReporting: false, outdir, context: limits })
  const { deployment, sharedPolicies, isNew, ...settings } = context
  return new MediaLibraryStack(app, {
    settings: readSettings((key) => settings[key]),
    kept: changedSettings((key) => settings[key]),
    tables,
    code,
    lacking,
    deployment: deployment === undefined ? undefined : String(deployment),
    sharedPolicies: sharedPolicies as SharedPolicyIds | undefined,
    isNew: isNew === true,
  })
}

/** Templates that were made: the files of a process ask for the same ones, and one takes seconds. */
const made: (ServiceTables & { settings: string; template: Json })[] = []

/** Synthesizes that stack. */
export function synthesize({ endpoints, events }: ServiceTables, context: Record<string, unknown> = {}, lacking?: string): Synthesized {
  const settings = JSON.stringify([context, lacking])
  let known = made.find((each) => each.endpoints === endpoints && each.events === events && each.settings === settings)
  if (!known) {
    const { template } = synthesizeAnew({ endpoints, events }, context, lacking)
    known = { endpoints, events, settings, template }
    made.push(known)
  }
  return readTemplate(structuredClone(known.template))
}

/** Synthesizes that stack, whether or not it was made before. */
export function synthesizeAnew(tables: ServiceTables, context: Record<string, unknown> = {}, lacking?: string): Synthesized {
  return withStack({ tables, context, lacking }, (stack, folder) => readTemplate(templateOf(stack, folder)))
}

/** The templates of a stack as they are deployed, those of nested stacks each for itself. */
export function templatesOf(tables: ServiceTables, context: Record<string, unknown> = {}): Json[] {
  return withStack({ tables, context }, (stack, folder) => {
    Template.fromStack(stack)
    return writtenTemplates(folder, stack.stackName).map(({ template }) => template)
  })
}

/** Writes the templates of a stack, and reads them as one. @throws Error where resources wait for each other in a circle */
function templateOf(stack: MediaLibraryStack, folder: string): Json {
  Template.fromStack(stack)
  return wholeTemplate(folder, stack.stackName)
}

/** A template, its resources in a list. */
export function readTemplate(template: Json): Synthesized {
  const resources = Object.entries<Json>(template.Resources).map(([id, { Type, Properties, DeletionPolicy }]) => ({
    id,
    type: Type,
    properties: Properties ?? {},
    deletionPolicy: DeletionPolicy,
  }))
  return { template, resources, ofType: (type) => resources.filter((resource) => resource.type === type) }
}

/** The key of a function in the service's tables. */
export const keyOf = ({ properties }: Pick<Resource, 'properties'>): string =>
  String(properties.FunctionName).replace(/^media-library-(\d-)?/, '')

/** The logical id that a value of a template points at. */
export function pointsAt(value: Json): string | undefined {
  return value?.Ref ?? value?.['Fn::GetAtt']?.[0]
}

/** A value of a template as text, its references as `<id>` or `<id.Attribute>`. */
export function asText(value: Json): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (value.Ref) return `<${value.Ref}>`
  if (value['Fn::GetAtt']) return `<${value['Fn::GetAtt'].join('.')}>`
  if (value['Fn::Join']) return value['Fn::Join'][1].map(asText).join(value['Fn::Join'][0])
  return JSON.stringify(value)
}

/** A property that may hold one value or a list of them. */
export function listOf(value: Json): Json[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

/** What a policy of CloudFront puts on answers, by names in lower case, but for HSTS. */
export function headersOf({ properties }: { properties: Json }): Record<string, string> {
  const { CustomHeadersConfig, SecurityHeadersConfig, CorsConfig } = properties.ResponseHeadersPolicyConfig
  const { ContentSecurityPolicy, ContentTypeOptions, ReferrerPolicy } = SecurityHeadersConfig
  const exposed = CorsConfig?.AccessControlExposeHeaders?.Items.join(', ')
  return {
    ...(CorsConfig ? { 'access-control-allow-origin': CorsConfig.AccessControlAllowOrigins.Items.join(', ') } : {}),
    ...(exposed ? { 'access-control-expose-headers': exposed } : {}),
    'content-security-policy': asText(ContentSecurityPolicy.ContentSecurityPolicy),
    ...Object.fromEntries(CustomHeadersConfig.Items.map(({ Header, Value }: Json) => [Header, Value])),
    ...(ReferrerPolicy ? { 'referrer-policy': ReferrerPolicy.ReferrerPolicy } : {}),
    'x-content-type-options': ContentTypeOptions.Override ? 'nosniff' : '',
  }
}

/** Ids of the resources that CloudFormation creates or updates before one. */
export function madeBefore({ template }: Pick<Synthesized, 'template'>, id: string, found = new Set<string>()): Set<string> {
  const resource = template.Resources[id]
  for (const other of [...listOf(resource.DependsOn), ...named(resource.Properties)]) {
    if (!(other in template.Resources) || found.has(other)) continue
    found.add(other)
    madeBefore({ template }, other, found)
  }
  return found
}

/** What a value of a template refers to. */
function named(value: Json): string[] {
  if (typeof value === 'string') return [...value.matchAll(/\$\{(\w+)/g)].map(([, id]) => id!)
  if (typeof value !== 'object' || value === null) return []
  const pointed = pointsAt(value)
  return [...(pointed ? [pointed] : []), ...Object.values(value).flatMap(named)]
}
