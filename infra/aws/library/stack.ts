import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation'
import { requestLimits } from '../../../shared/backends/aws/request-limits.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { lackOfKeywords } from '../../../shared/backends/keywords/regions.ts'
import { parameterKeys } from '../../../shared/backends/secrets/parameters.ts'
import { dynamoClient, dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import { dynamoScanner } from '../../../shared/backends/table/dynamodb-scan.ts'
import { type Transcoder, TranscoderUnavailable } from '../../../shared/backends/transcoder/port.ts'
import type { OpenLibrary } from '../../homes/open-library.ts'
import { explainStackFailure } from './stack-failure.ts'

/** Outputs of the stack (infra/aws/stack/stack.ts) that name the resources that commands work on. */
const BASE_URL_OUTPUT = 'BaseUrl'
const TABLE_OUTPUT = 'TableName'
const KEY_OUTPUT = 'ApiSecretsKeyArn'
const UPLOADS_OUTPUT = 'UploadsBucket'
const MEDIA_OUTPUT = 'MediaBucket'
const PUBLIC_OUTPUT = 'PublicBucket'
const MAIL_SENDER_OUTPUT = 'MailSender'
const MAIL_CONFIGURATION_OUTPUT = 'MailConfigurationSet'
const FAILED_RUNS_OUTPUT = 'FailedRunsQueue'
const FAILED_CHANGES_OUTPUT = 'FailedChangesBucket'
/** Only where the search engine is OpenSearch. */
const SEARCH_OUTPUT = 'SearchEndpoint'

/**
 * Time limit of an answer, and of a waking search engine, in milliseconds. Functions wait for seconds, because clients wait for them; a command over
 * a whole library must survive one late answer.
 */
const MAX_WAIT_MS = 60_000

/** Opens the library of a deployed stack with the AWS credentials and region of the environment. @throws Error in a sentence */
export async function openStack(name: string): Promise<OpenLibrary> {
  const outputs = await outputsOf(name)
  const table = { tableName: need(outputs, TABLE_OUTPUT, name), client: dynamoClient({ requestHandler: requestLimits(MAX_WAIT_MS) }) }
  const keyArn = need(outputs, KEY_OUTPUT, name)
  const openBucket = async (output: string) => {
    const { s3Client, s3Objects } = await import('../../../shared/backends/objects/s3.ts')
    return s3Objects({ bucket: need(outputs, output, name), client: s3Client({ requestHandler: requestLimits(MAX_WAIT_MS, MAX_WAIT_MS) }) })
  }
  const openSearchIndex = async () => {
    const endpoint = outputs.get(SEARCH_OUTPUT)
    if (endpoint === undefined)
      throw new Error(
        `The stack ${name} searches by indexes of its own, which follow the table. To have that of a company built anew, delete the objects below search/<company>/ in its media bucket.`,
      )
    const [{ openSearchAdmin }, { openSearchClient }] = await Promise.all([
      import('../../../shared/backends/search/opensearch/admin.ts'),
      import('../../../shared/backends/search/opensearch/client.ts'),
    ])
    return openSearchAdmin({ client: openSearchClient({ endpoint, region: regionOf(endpoint) }), maxWaitMs: MAX_WAIT_MS })
  }
  return {
    table: dynamoTable(table),
    scanner: dynamoScanner(table),
    openUploads: () => openBucket(UPLOADS_OUTPUT),
    openMedia: () => openBucket(MEDIA_OUTPUT),
    openPublicFiles: () => openBucket(PUBLIC_OUTPUT),
    async openMail() {
      const sender = need(outputs, MAIL_SENDER_OUTPUT, name)
      const configurationSet = need(outputs, MAIL_CONFIGURATION_OUTPUT, name)
      const { sesMail } = await import('../../../shared/backends/mail/ses.ts')
      return { mail: sesMail({ sender, configurationSet }), name: 'SES' }
    },
    async openCompanyRemoval() {
      const [{ s3PartUploads }, uploads, media, publicFiles] = await Promise.all([
        import('../../../shared/backends/objects/s3-parts.ts'),
        ...[UPLOADS_OUTPUT, MEDIA_OUTPUT, PUBLIC_OUTPUT].map(openBucket),
      ])
      const parts = s3PartUploads({ bucket: need(outputs, UPLOADS_OUTPUT, name) })
      return {
        uploads: {
          list: (prefix, page) => uploads!.list(prefix, page),
          delete: (keys) => uploads!.delete(keys),
          abortParts: (upload) => parts.abortParts(upload),
        },
        media: media!,
        publicFiles: publicFiles!,
        transcoder: leftToTheStack,
        ...(outputs.has(SEARCH_OUTPUT) && { searchIndexer: await openSearchIndex() }),
      }
    },
    lackOfKeywords: async () => lackOfKeywords(await table.client.config.region()),
    openSearchIndex,
    async openFailedRuns() {
      const { stackFailedRuns } = await import('./stack-failed-runs.ts')
      const queueUrl = need(outputs, FAILED_RUNS_OUTPUT, name)
      return stackFailedRuns({ stack: name, queueUrl, changes: await openBucket(FAILED_CHANGES_OUTPUT) })
    },
    async openSignOn() {
      const { openIdClient } = await import('../../../shared/backends/openid/client.ts')
      return { openId: openIdClient({ clock: systemClock }), baseUrl: need(outputs, BASE_URL_OUTPUT, name), http: false }
    },
    apiSecretsKey: parameterKeys({ arns: { apiSecretsKey: keyArn } }),
    async rotateKey(kind, surroundings) {
      const { rotateStackKey } = await import('./stack-keys.ts')
      await rotateStackKey(kind, { stack: name, apiSecretsKeyArn: keyArn, table: dynamoTable(table) }, surroundings)
    },
    clock: systemClock,
    explain: explainStackFailure,
    close() {},
  }
}

/** Only functions of the stack may speak to its transcoder: their jobs cancel what runs. */
const leftToTheStack: Transcoder = {
  start: () => Promise.reject(new TranscoderUnavailable()),
  stateOf: () => Promise.reject(new TranscoderUnavailable()),
  cancel: () => Promise.reject(new TranscoderUnavailable()),
}

/** A stack as CloudFormation describes it; undefined where there is none. @throws Error in a sentence */
export async function describeStack(
  name: string,
  client: Pick<CloudFormationClient, 'send'> = new CloudFormationClient(),
): Promise<Stack | undefined> {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName: name }))).Stacks?.[0]
  } catch (cause) {
    const { name: kind, message } = cause as Error
    if (kind === 'ValidationError' && message.includes('does not exist')) return undefined
    throw new Error(`The stack ${name} could not be read: ${message}`, { cause })
  }
}

/** A stack's outputs, by their names. @throws Error in a sentence */
export async function outputsOf(name: string): Promise<ReadonlyMap<string, string>> {
  const stack = await describeStack(name)
  if (!stack) throw new Error(`There is no stack ${name} in this account and region. Check its name, AWS_REGION and the profile.`)
  return outputsIn(stack)
}

export function outputsIn({ Outputs = [] }: Stack): ReadonlyMap<string, string> {
  return new Map(Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]))
}

/** @throws Error in a sentence */
export function need(outputs: ReadonlyMap<string, string>, output: string, stack: string): string {
  const value = outputs.get(output)
  if (!value) throw new Error(`The stack ${stack} has no output ${output}. Is it a media library, deployed by this version?`)
  return value
}

/** Region of a collection, by its address: `https://id.aoss.eu-west-1.on.aws`. */
function regionOf(endpoint: string): string {
  const region = new URL(endpoint).hostname.split('.').find((label) => /^[a-z]+(-[a-z]+)+-\d$/.test(label))
  if (region === undefined) throw new Error(`The address of the search index, ${endpoint}, names no region.`)
  return region
}
