import type { GivenSettings } from '../stack/kept-settings.ts'
import { changedSettings } from '../stack/settings.ts'

/** The parts of a template that tell of settings. */
interface Template {
  Outputs?: Record<string, { Value: unknown }>
  // biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own properties, and some have none.
  Resources: Record<string, { Type: string; DeletionPolicy?: string; Properties?: any }>
}

/** Settings that no template tells. */
export const untold = 'importConcurrency, consumerConcurrency, renderConcurrency, linkSizeSteps, logRetentionDays and stockProvider*'

/**
 * Reads the settings of a stack of an earlier version, which kept none, from its template. What was named by a setting is text there, what the
 * stack makes is a reference.
 */
export function formerSettings(template: Template): GivenSettings {
  const ofType = (type: string) => Object.values(template.Resources).filter(({ Type }) => Type === type)
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const output = (name: string) => text(template.Outputs?.[name]?.Value)
  const host = (name: string) => output(name)?.replace('https://', '')
  const named = (type: string, property: string) => text(ofType(type)[0]?.Properties?.[property])
  const adopted = {
    adoptTable: named('Custom::AdoptedTable', 'Name'),
    adoptMediaBucket: named('Custom::Buckets', 'Media'),
    adoptPublicBucket: named('Custom::Buckets', 'Public'),
    adoptApiSecretsKeyArn: named('Custom::Secrets', 'ApiSecretsKeyArn'),
  }
  // A stack that adopted everything doesn't tell. Retaining is what it was told to do when it adopted, and loses nothing.
  const own = [...ofType('AWS::DynamoDB::Table'), ...ofType('AWS::SecretsManager::Secret')]
  const retains = own.some(({ DeletionPolicy }) => DeletionPolicy === 'Retain') || Object.values(adopted).some((value) => value)
  const distributions = ofType('AWS::CloudFront::Distribution').map(({ Properties }) => Properties?.DistributionConfig ?? {})
  // CloudFront's own name is a reference.
  const formerHosts = (ofType('Custom::Buckets')[0]?.Properties?.FormerCdnUrls as unknown[] | undefined)?.filter(
    (url) => typeof url === 'string',
  )
  const searchAdmin = /arn:aws[a-z-]*:iam::\d{12}:(?:role|user)\/[\w+=,.@/-]+/.exec(JSON.stringify(ofType(ACCESS_POLICY)))?.[0]
  const found: Record<string, string | undefined> = {
    ...adopted,
    retain: retains ? 'true' : undefined,
    brand: output('Brand'),
    vendor: output('Vendor'),
    mailSender: output('MailSender'),
    apiDomain: host('BaseUrl'),
    deliveryDomain: host('DeliveryUrl'),
    cdnDomain: host('CdnUrl'),
    playerDomain: host('PlayerUrl'),
    certificateArn: distributions.map(({ ViewerCertificate }) => text(ViewerCertificate?.AcmCertificateArn)).find(Boolean),
    formerCdnDomains: formerHosts?.map((url) => url.replace('https://', '')).join(','),
    linkWebAclArn: distributions.map(({ WebACLId }) => text(WebACLId)).find(Boolean),
    alarmEmail: named('AWS::SNS::Subscription', 'Endpoint'),
    dashboard: ofType('AWS::CloudWatch::Dashboard').length > 0 ? 'true' : undefined,
    searchEngine: searchAdmin && 'opensearch',
    searchAdminArn: searchAdmin,
    ...ofFunctions(JSON.stringify(template)),
  }
  return changedSettings((key) => found[key])
}

const ACCESS_POLICY = 'AWS::OpenSearchServerless::AccessPolicy'

/** Settings that functions know by their environment, which is JSON with references among it. */
function ofFunctions(template: string): Record<string, string | undefined> {
  const names = ['tokenLifetimeDays', 'maxUploadBytes', 'shareMaxFiles', 'shareMaxBytes', 'videoPreviews', 'eventDays']
  return Object.fromEntries(names.map((name) => [name, new RegExp(`\\\\"${name}\\\\+":(?:\\\\+")?([\\w-]+)`).exec(template)?.[1]]))
}
