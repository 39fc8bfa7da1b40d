import { PROFILE_IMAGES } from '../../shared/library/accounts/profile-images.ts'
import { SNAPSHOTS } from '../../shared/library/index-snapshots/record.ts'
import { CONSOLE_FILES } from '../../shared/library/links/public-keys.ts'
import { RENDITIONS } from '../../shared/library/media/media.ts'
import { PLAYER_FILES, SUBTITLES } from '../../shared/library/videos/objects.ts'
import { Account, type Held, isWithin } from './account.ts'
import type { DeployedResource, Place } from './deployed-template.ts'
import { applies, listOf, type Statement } from './policy.ts'
import type { RecordedCall } from './recorder.ts'
import { type Expected, roleAt, serviceAccesses } from './service-accesses.ts'

/**
 * What is wrong with the permissions of a deployment, in sentences; empty when nothing is.
 * - something that happens is denied, or something that must be denied is allowed
 * - a statement reaches further than any purpose can
 * - a statement that nothing needs
 * - a part of a statement that none of those who hold it need: what a function declares to use it gets whole, so it
 *   may not need all of it, but somebody must
 */
export function judge(
  resources: readonly DeployedResource[],
  { calls, place }: { calls: readonly RecordedCall[]; place: Place },
): string[] {
  const account = new Account(resources)
  const accesses = [...callAccesses(calls, resources), ...serviceAccesses(resources, place)]
  const wrong = accesses
    .filter((access) => account.allows(access) === (access.denied === true))
    .map((access) => `${access.why}: ${access.action} on ${access.resource} by ${access.by} is ${access.denied ? 'allowed' : 'denied'}`)
  const allowing = account.statements().filter(({ statement }) => statement.Effect === 'Allow')
  const tooWide = allowing.flatMap(({ owner, statement }) => excesses(statement, resources).map((excess) => `${owner} allows ${excess}`))
  const unneeded = unneededOf(allowing, accesses)
  return [...new Set(wrong), ...tooWide, ...unneeded.map(({ owners, action, resource }) => `${owners} need no ${action} on ${resource}`)]
}

interface Unneeded {
  owners: string
  action: string
  resource: string
}

function unneededOf(allowing: readonly Held[], accesses: readonly Expected[]): Unneeded[] {
  const needed = accesses.filter(({ denied }) => !denied)
  const neededBy = Map.groupBy(needed, ({ by }) => by)
  const isUsed = ({ by, at }: Held, part: Statement) =>
    (by === undefined ? needed : (neededBy.get(by) ?? [])).some(
      (access) => (at === undefined || isWithin(at, access.resource)) && applies(part, access),
    )
  const idle = allowing
    .filter((held) => !isUsed(held, held.statement))
    .map(({ owner, statement }) => ({ owners: owner, action: String(statement.Action), resource: String(statement.Resource) }))
  const alike = Map.groupBy(allowing, ({ owner, by, statement }) => `${by ? '' : owner}${JSON.stringify(statement)}`)
  const parts = [...alike.values()].flatMap((holders) =>
    partsOf(holders[0]!.statement)
      .filter((part) => !holders.some((held) => isUsed(held, part)))
      .map(({ Action, Resource }) => ({
        owners: holders.map(({ owner }) => owner).join(', '),
        action: String(Action),
        resource: String(Resource),
      })),
  )
  return [...idle, ...parts]
}

function callAccesses(calls: readonly RecordedCall[], resources: readonly DeployedResource[]): Expected[] {
  const roles = new Map(
    resources
      .filter(({ type }) => type === 'AWS::Lambda::Function')
      .map(({ properties }) => [properties.FunctionName, roleAt(properties.Role, resources)]),
  )
  const distinct = new Map(calls.map((call) => [JSON.stringify(call), call]))
  return [...distinct.values()].map(({ caller, ...access }) => ({ why: caller, by: roles.get(caller) ?? caller, ...access }))
}

/** One statement for each action and resource that a statement names. */
function partsOf(statement: Statement): Statement[] {
  const { Resource, ...rest } = statement
  return listOf(statement.Action).flatMap((Action) =>
    Resource === undefined ? [{ ...rest, Action }] : listOf(Resource).map((each) => ({ ...rest, Action, Resource: each })),
  )
}

/** All objects of a bucket, profile images, player, console, and what jobs of the transcoder read and write. */
const kindsOfObjects = [
  '*',
  `${PROFILE_IMAGES}*`,
  `${PLAYER_FILES}*`,
  `${CONSOLE_FILES}*`,
  '*/original',
  '*/video/*',
  SUBTITLES,
  RENDITIONS,
  `${SNAPSHOTS}*`,
  'streams/*',
]

/**
 * Only the objects of one bucket, a kind of them, the streams of one log, jobs of MediaConvert to look at or cancel, pictures that Rekognition
 * looks at, and what SES asks for where the sender is named, are named by a wildcard, and no action and no caller is.
 */
function excesses({ Action, Resource, Principal, Condition }: Statement, resources: readonly DeployedResource[]): string[] {
  const arns = new Set(
    resources.flatMap(({ type, attributes: { Arn } }) =>
      type === 'AWS::S3::Bucket' ? kindsOfObjects.map((keys) => `${Arn}/${keys}`) : (Arn ?? []),
    ),
  )
  const isMail = Condition?.StringEquals?.['ses:FromAddress'] !== undefined
  const isOfPictures = listOf(Action).join() === 'rekognition:DetectLabels'
  const isOfJobs = listOf(Action).every((action) => ['mediaconvert:GetJob', 'mediaconvert:CancelJob'].includes(action))
  const isScoped = (pattern: string) =>
    !/[*?]/.test(pattern) ||
    arns.has(pattern) ||
    (isOfPictures && pattern === '*') ||
    (isMail && /^arn:aws:ses:[\w-]+:\d+:identity\/\*$/.test(pattern)) ||
    (isOfJobs && /^arn:aws:mediaconvert:[\w-]+:\d+:jobs\/\*$/.test(pattern))
  return [
    ...listOf(Action).filter((action) => /[*?]/.test(action)),
    ...listOf(Resource ?? []).filter((pattern) => !isScoped(pattern)),
    ...(Principal === '*' || (Principal?.AWS !== undefined && listOf(Principal.AWS).includes('*')) ? ['everybody'] : []),
  ]
}
