import { events } from '../../functions/events.ts'
import { SNAPSHOT_JOBS } from '../../shared/library/index-snapshots/job.ts'
import { SNAPSHOTS } from '../../shared/library/index-snapshots/record.ts'
import { namedFunctions } from '../../shared/runtime/consumer.ts'
import { jobGroups } from '../../shared/runtime/job-groups.ts'
import type { DeployedResource } from './deployed-template.ts'
import type { RecordedCall } from './recorded-calls.ts'

/** Functions that sign what clients send to the bucket of uploads: forms, and addresses of parts. */
const signing = ['register-upload', 'get-part-urls', 'send-shared-form', 'send-shared-parts']

/** Functions that store in parts, of which S3 keeps what was stored when that breaks off. Nothing breaks off here. */
const givingUp = { uploads: ['begin-multipart-upload', 'complete-multipart-upload'], media: ['import-media'], public: ['long-jobs'] }

/**
 * What functions do that no record of a rehearsal shows, because others send it, or because it takes a failure or a meeting that nobody can bring
 * about from outside.
 */
export function impliedCalls(calls: readonly RecordedCall[], resources: readonly DeployedResource[]): RecordedCall[] {
  const at = (id: string) => {
    const found = resources.find((resource) => resource.id.replace(/[0-9A-F]{8}$/, '') === id)
    if (!found) throw new Error(`the template has no ${id}`)
    return found.attributes.Arn ?? ''
  }
  const functions = new Map(
    resources.flatMap(({ type, ref, attributes }) => (type === 'AWS::Lambda::Function' ? [[ref, attributes.Arn!]] : [])),
  )
  const callerOf = (key: string) => [...functions.keys()].find((name) => name.endsWith(`-${key}`)) ?? key
  const jobs = jobGroups(namedFunctions(events)).map(({ name }) => callerOf(name))
  const [uploads, media, publicFiles] = [at('StorageUploads'), at('StorageMedia'), at('StoragePublic')]
  const giveUp = (keys: string[], bucket: string) =>
    keys.map((key) => ({ caller: callerOf(key), action: 's3:AbortMultipartUpload', resource: `${bucket}/1/2/a` }))
  return [
    ...signing.map((key) => ({ caller: callerOf(key), action: 's3:PutObject', resource: `${uploads}/upload/a` })),
    ...giveUp(givingUp.uploads, uploads),
    ...giveUp(givingUp.media, media),
    ...giveUp(givingUp.public, publicFiles),
    // The run of a job wakes the next of its group; changes, and the clock, wake each group.
    ...jobs.flatMap((job) =>
      [job, callerOf('start-jobs'), callerOf('wake-jobs')].map((caller) => ({
        caller,
        action: 'lambda:InvokeFunction',
        resource: functions.get(job)!,
      })),
    ),
    ...missingObjects(calls),
    // An import that finds its file removed takes back what it has stored.
    { caller: callerOf('import-media'), action: 's3:ListBucket', resource: media },
    // A snapshot is made of the one before, and that is removed when no search can be reading it any more.
    ...['s3:GetObject', 's3:DeleteObject'].map((action) => ({
      caller: callerOf('long-jobs'),
      action,
      resource: `${media}/${SNAPSHOTS}1/a`,
    })),
    // A video that is removed while it is encoded.
    { caller: callerOf('encode-video'), action: 'mediaconvert:CancelJob', resource: jobOf(calls) },
    // Keys go with the stack; one is told of after a rotation.
    ...keysIn(resources).flatMap((resource) =>
      ['ssm:GetParameter', 'ssm:PutParameter', 'ssm:DeleteParameter'].map((action) => ({
        caller: callerOf('make-secrets'),
        action,
        resource,
      })),
    ),
    // An update with another format of indexes.
    {
      caller: callerOf('renew-snapshots'),
      action: 'dynamodb:UpdateItem',
      resource: at('StorageTable'),
      context: { 'dynamodb:leadingkeys': `${SNAPSHOT_JOBS}1` },
    },
  ]
}

/** ARNs of the parameters with the keys of a stack. */
function keysIn(resources: readonly DeployedResource[]): string[] {
  const { properties } = resources.find(({ type }) => type === 'Custom::Secrets')!
  return [properties.ApiSecretsKeyArn, properties.UrlSigningKeyArn, properties.OriginKeyArn, properties.UrlPublicKeyArn]
}

/** Who reads objects is told that one isn't there only where they may list the bucket. */
function missingObjects(calls: readonly RecordedCall[]): RecordedCall[] {
  return calls
    .filter(({ action }) => action === 's3:GetObject')
    .map(({ caller, resource }) => ({ caller, action: 's3:ListBucket', resource: resource.split('/')[0]! }))
}

const jobOf = (calls: readonly RecordedCall[]) => calls.find(({ action }) => action === 'mediaconvert:GetJob')?.resource ?? ''
