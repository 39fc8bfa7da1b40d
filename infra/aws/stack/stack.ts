import { type App, CfnOutput, CfnRule, DefaultStackSynthesizer, Fn, Lazy, PermissionsBoundary, Stack, type StackProps } from 'aws-cdk-lib'
import type { Code } from 'aws-cdk-lib/aws-lambda'
import { type Construct, DependencyGroup } from 'constructs'
import { isJob, type NamedFunction, namedFunctions, type Origin } from '../../../shared/runtime/consumer.ts'
import { type JobGroup, jobGroups } from '../../../shared/runtime/job-groups.ts'
import type { Settings } from '../../../shared/settings.ts'
import { makesCertificate, type ServiceTables } from '../bundling/entries.ts'
import { Api } from './api.ts'
import { ConsoleDelivery } from './console-delivery.ts'
import { ApiDelivery, FileDelivery } from './delivery.ts'
import { EventLambda } from './event-function.ts'
import { FailedRuns } from './failed-runs.ts'
import { functionArn, JobLambda, jobFunctionName } from './job-function.ts'
import { type GivenSettings, SETTINGS_OUTPUT, writeSettings } from './kept-settings.ts'
import { LinkDelivery } from './link-delivery.ts'
import { LinkRenderer } from './link-renderer.ts'
import { MailEvents } from './mail-events.ts'
import { Observability } from './observability.ts'
import { PlayerDelivery } from './player-delivery.ts'
import { PreparedBuckets } from './prepared-buckets.ts'
import { RenewedSnapshots } from './renewed-snapshots.ts'
import type { SharedPolicyIds } from './response-headers.ts'
import { SearchCollection } from './search-collection.ts'
import { Secrets } from './secrets.ts'
import type { FunctionDefaults } from './service-function.ts'
import { type DeploymentSettings, hostNames } from './settings.ts'
import { Storage } from './storage.ts'
import { Transcoding } from './transcoding.ts'
import { ZoneCertificate, zoneRecords } from './zone-certificate.ts'

export interface MediaLibraryProps {
  settings: DeploymentSettings
  /** The settings that the operator changed, for the next deployment. */
  kept?: GivenSettings | undefined
  tables: ServiceTables
  /** The package of each function, by its key. */
  code(key: string): Code
  /** The missing parts of the packages. CloudFormation refuses a template with incomplete packages. */
  lacking?: string | undefined
  /** Differs between deployments; absent where the template is only synthesized. */
  deployment?: string | undefined
  /** Policies of headers that the account has for all its stacks. Without one the stack makes its own. */
  sharedPolicies?: SharedPolicyIds | undefined
  /** Whether no deployment of the stack has succeeded yet. */
  isNew?: boolean
}

/** The whole service. It only connects the constructs, which say what things are. */
export class MediaLibraryStack extends Stack {
  constructor(app: App, { settings, kept = {}, tables, code, lacking, deployment, sharedPolicies = {}, isNew = false }: MediaLibraryProps) {
    super(app, settings.stackName, {
      description: 'Media library service',
      ...accountProps(settings),
      terminationProtection: settings.retain && !isNew,
    })
    const functionDefaults = { code, logRetentionDays: settings.logRetentionDays }

    const storage = new Storage(this, 'Storage', settings, functionDefaults)
    const { table, uploads, media, public: publicFiles, streamArn, removed } = storage
    // The id is that of the queue in every stack that exists.
    const failedRuns = new FailedRuns(this, 'Queues')
    const mailEvents = new MailEvents(this, 'MailEvents')
    const secrets = new Secrets(this, 'Secrets', { ...functionDefaults, settings, deployment })
    const { apiSecretsKeyArn, urlSigningKeyArn } = secrets
    const { prepared } = new PreparedBuckets(
      this,
      'PreparedBuckets',
      {
        media,
        public: publicFiles,
        emptied: [...removed, failedRuns.changes],
        addresses: {
          cdnUrl: later(() => links.url),
          playerUrl: later(() => player.url),
          formerCdnUrls: Lazy.list({ produce: () => [...links.formerUrls] }),
        },
      },
      functionDefaults,
    )
    const transcoding = new Transcoding(this, 'Transcoding', {
      media,
      public: publicFiles,
      prepared,
    })
    const searchCollection = searchCollectionOf(this, settings)
    const hosts = { ...settings, certificateArn: certificateOf(this, settings, functionDefaults) }
    const files = new FileDelivery(this, 'FileDelivery', { media, secrets, hosts, sharedPolicies })

    const functions = namedFunctions(tables.events)
    const groups = jobGroups(functions)
    const beforeSearches = new DependencyGroup()
    const uploadsUrl = `https://${uploads.bucketRegionalDomainName}`
    const serviceDefaults = {
      beforeSearches,
      ...functionDefaults,
      settings: serviceSettings(settings, { playerUrl: later(() => player.url), cdnUrl: later(() => links.url), uploadsUrl }),
      targets: {
        table,
        uploads,
        media,
        public: publicFiles,
        transcoding,
        jobs: jobFunctions(this, groups),
        links: { distributionId: later(() => links.distributionId), distributionArn: later(() => links.distributionArn) },
        apiSecretsKeyArn,
        urlSigningKeyArn,
        urlKeyPairId: files.keyPairId,
        deliveryUrl: files.url,
        stockProvider: stockProviderOf(settings),
        searchCollection,
        outsideRefuse: settings.outsideRefuse.join(','),
        mailSender: settings.mailSender,
        mailConfigurationSet: mailEvents.configurationSetName,
      },
    }
    const renderer = new LinkRenderer(this, rendererIn(functions), { ...serviceDefaults, concurrency: settings.renderConcurrency })
    const links = new LinkDelivery(this, 'LinkDelivery', { copies: publicFiles, renderer, settings: hosts, sharedPolicies })
    const player = new PlayerDelivery(this, 'PlayerDelivery', { files: publicFiles, cdnUrl: links.url, hosts })
    const originKeyHash = secrets.publicHalf('OriginKeyHash')
    const apiProps = { title: settings.stackName, endpoints: tables.endpoints }
    const { restApi } = new Api(this, 'Api', apiProps, { ...serviceDefaults, originKeyHash })
    const console = new ConsoleDelivery(this, 'ConsoleDelivery', {
      files: publicFiles,
      hosts: { links: links.url, files: files.url, uploads: uploadsUrl },
    })
    const delivery = new ApiDelivery(this, 'ApiDelivery', { api: restApi, secrets, console, hosts })
    const eventDefaults = {
      ...serviceDefaults,
      limits: settings,
      streamArn,
      failedRuns,
      rules: { transcoder: transcoding.rule, mail: mailEvents.rule },
    }
    const events = functions.flatMap((fn) => (isRenderer(fn) || isJob(fn) ? [] : [new EventLambda(this, fn, eventDefaults)]))
    const jobs = groups.map((group) => new JobLambda(this, group, eventDefaults))
    // Those who wake runs come after the functions that they wake, and both before snapshots of another format. So these can't wait for buckets,
    // which wait for the API. A bucket that is closed refuses what they store.
    const early = jobs.filter(({ kinds }) => kinds.length > 1 || kinds.some(({ uses }) => uses.indexWriter)).map(({ lambda }) => lambda)
    const wakers = events
      .filter(({ node }) => functions.some(({ name, uses }) => name === node.id && uses.waker))
      .map(({ lambda }) => lambda)
    for (const waker of wakers) waker.node.addDependency(...early)
    if (!searchCollection) beforeSearches.add(new RenewedSnapshots(this, 'RenewedSnapshots', [...early, ...wakers], serviceDefaults))
    for (const { source, lambda } of events) (source ?? lambda).node.addDependency(prepared)
    for (const { lambda } of jobs) if (!early.includes(lambda)) lambda.node.addDependency(prepared)

    new Observability(this, 'Observability', {
      api: restApi,
      table,
      mailFailures: mailEvents.failures,
      renderer: renderer.lambda,
      wakeJobs: events.find(({ node }) => node.id === 'wake-jobs')?.lambda,
      failedRuns: failedRuns.letters,
      alarmEmail: settings.alarmEmail,
      hasDashboard: settings.dashboard,
    })
    new CfnOutput(this, 'BaseUrl', { value: delivery.url, description: 'Address of the API' })
    new CfnOutput(this, 'CdnUrl', { value: links.url, description: 'Address of links' })
    new CfnOutput(this, 'PlayerUrl', { value: player.url, description: 'Address of the player of streams' })
    new CfnOutput(this, 'Vendor', { value: settings.vendor, description: 'Path segment of the stock library' })
    new CfnOutput(this, 'Brand', { value: settings.brand, description: 'Begins the names of authorization schemes' })
    // `npm run admin -- --stack` reads these (infra/aws/library/stack.ts).
    new CfnOutput(this, 'TableName', { value: table.tableName, description: 'Table of all records' })
    new CfnOutput(this, 'UploadsBucket', { value: uploads.bucketName, description: 'Bucket of what is to be imported' })
    new CfnOutput(this, 'MediaBucket', { value: media.bucketName, description: 'Bucket of all files' })
    new CfnOutput(this, 'PublicBucket', { value: publicFiles.bucketName, description: 'Bucket of what links show' })
    new CfnOutput(this, 'ApiSecretsKeyArn', { value: apiSecretsKeyArn, description: 'Parameter with the key to API secrets' })
    new CfnOutput(this, 'MailSender', { value: settings.mailSender, description: 'From of e-mails' })
    new CfnOutput(this, 'MailConfigurationSet', { value: mailEvents.configurationSetName, description: 'Tells of e-mails that failed' })
    new CfnOutput(this, 'FailedRunsQueue', { value: failedRuns.letters.queueUrl, description: 'Queue of what runs failed on' })
    new CfnOutput(this, 'FailedChangesBucket', {
      value: failedRuns.changes.bucketName,
      description: 'Bucket of changes that were given up',
    })
    new CfnOutput(this, 'FilesStay', { value: String(!removed.includes(media)), description: 'Whether files outlive the stack' })
    new CfnOutput(this, 'DeliveryUrl', { value: files.url, description: 'Address from which files are delivered' })
    if (settings.hostedZoneId) {
      const { apiDomain = '', deliveryDomain = '', cdnDomain, playerDomain } = settings
      zoneRecords(this, settings.hostedZoneId, {
        ...{ [apiDomain]: delivery.target, [deliveryDomain]: files.target },
        ...(cdnDomain && { [cdnDomain]: links.target }),
        ...(playerDomain && { [playerDomain]: player.target }),
      })
      new CfnOutput(this, 'HostedZone', { value: settings.hostedZoneId, description: 'Hosted zone of the host names' })
    }
    // Names of the operator's own point to these.
    new CfnOutput(this, 'ApiTarget', { value: delivery.target, description: "CloudFront's name of the API" })
    new CfnOutput(this, 'DeliveryTarget', { value: files.target, description: "CloudFront's name of the host that delivers files" })
    new CfnOutput(this, 'CdnTarget', { value: links.target, description: "CloudFront's name of the host of links" })
    new CfnOutput(this, 'PlayerTarget', { value: player.target, description: "CloudFront's name of the host of the player" })
    new CfnOutput(this, SETTINGS_OUTPUT, { value: writeSettings(kept), description: 'Settings that the next deployment keeps' })
    if (lacking) refuse(this, lacking)
  }
}

/** The certificate of the operator's host names: theirs, or one that the stack makes in their zone. */
function certificateOf(scope: Construct, settings: DeploymentSettings, defaults: FunctionDefaults): string | undefined {
  const { certificateArn, hostedZoneId: zoneId = '' } = settings
  if (!makesCertificate(settings)) return certificateArn
  return new ZoneCertificate(scope, 'Certificate', { names: hostNames(settings), zoneId }, defaults).arn
}

/** What the operator's account asks of every stack. CloudFormation puts the tags of a stack on all that it makes. */
function accountProps({ tags, permissionsBoundary, qualifier }: DeploymentSettings): StackProps {
  const from = permissionsBoundary?.startsWith('arn:') ? PermissionsBoundary.fromArn : PermissionsBoundary.fromName
  return {
    ...(tags && { tags }),
    ...(permissionsBoundary && { permissionsBoundary: from(permissionsBoundary) }),
    ...(qualifier && { synthesizer: new DefaultStackSynthesizer({ qualifier }) }),
  }
}

function stockProviderOf({ stockProviderUrl: url, stockProviderKeyArn: keyArn, stockProviderHosts: hosts = [] }: DeploymentSettings) {
  return url === undefined ? undefined : { url, hosts: hosts.join(','), keyArn }
}

/** The collection, if the engine is OpenSearch. The settings say who its admin is then. */
function searchCollectionOf(scope: Construct, { searchEngine, searchAdminArn }: DeploymentSettings): SearchCollection | undefined {
  if (searchEngine !== 'opensearch' || searchAdminArn === undefined) return undefined
  return new SearchCollection(scope, 'SearchCollection', { adminArn: searchAdminArn })
}

/** A value of something that is made after those who name it. */
function later(value: () => string): string {
  return Lazy.string({ produce: value })
}

/** The functions that do jobs, by their names: they wake each other, so none can wait for another to be made. */
function jobFunctions(stack: Stack, groups: readonly JobGroup[]) {
  const prefix = `${stack.stackName}-`
  return {
    prefix,
    kinds: groups.flatMap(({ name, kinds }) => kinds.map((kind) => `${kind.name}:${name}`)).join(','),
    functionArns: groups.map(({ name }) => stack.formatArn(functionArn(jobFunctionName(prefix, name)))),
  }
}

const isRenderer = (fn: NamedFunction): fn is NamedFunction<Origin> => 'origin' in fn.trigger

function rendererIn(functions: readonly NamedFunction[]): NamedFunction<Origin> {
  const renderer = functions.find(isRenderer)
  if (!renderer) throw new Error('no function renders the pictures of links')
  return renderer
}

/** The settings that functions know. */
function serviceSettings(settings: DeploymentSettings, addresses: Pick<Settings, 'playerUrl' | 'cdnUrl' | 'uploadsUrl'>): Settings {
  const { brand, vendor, tokenLifetimeDays, maxUploadBytes, shareMaxFiles, shareMaxBytes, videoPreviews, eventDays } = settings
  // Functions of stacks with the default stay as they are.
  const storageClass = settings.storageClass !== 'STANDARD' && { storageClass: settings.storageClass }
  return {
    ...{ brand, vendor, tokenLifetimeDays, maxUploadBytes, shareMaxFiles, shareMaxBytes, videoPreviews, eventDays },
    ...storageClass,
    ...addresses,
  }
}

/** Makes CloudFormation refuse the template. */
function refuse(stack: Stack, reason: string): void {
  const never = Fn.conditionEquals('complete', 'incomplete')
  new CfnRule(stack, 'CompletePackages', { assertions: [{ assert: never, assertDescription: reason }] })
}
