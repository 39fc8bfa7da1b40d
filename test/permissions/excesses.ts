import { PROFILE_IMAGES } from '../../shared/library/accounts/profile-images.ts'
import { LOGOS } from '../../shared/library/brands/brand.ts'
import { SNAPSHOTS } from '../../shared/library/index-snapshots/record.ts'
import { CONSOLE_FILES } from '../../shared/library/links/public-keys.ts'
import { RENDITIONS } from '../../shared/library/media/objects.ts'
import { PLAYER_FILES, SUBTITLES } from '../../shared/library/videos/objects.ts'
import { Account, type Held } from './account.ts'
import type { DeployedResource } from './deployed-template.ts'
import { listOf, type Statement } from './policy.ts'

/** All objects of a bucket, profile images, player, console, what jobs of the transcoder read and write, and what Lambda keeps. */
const kindsOfObjects = [
  ...['*', `${PROFILE_IMAGES}*`, `${LOGOS}*`, `${PLAYER_FILES}*`, `${CONSOLE_FILES}*`, '*/original', '*/video/*', SUBTITLES, RENDITIONS],
  ...[`${SNAPSHOTS}*`, 'streams/*', 'aws/lambda/*'],
]

/**
 * Only the objects of one bucket, a kind of them, the streams of one log, jobs of MediaConvert to look at or cancel, pictures that Rekognition
 * looks at, and what SES asks for where the sender is named, are named by a wildcard, and no action and no caller is.
 */
export function excessesOf({ owner, statement }: Held, isScoped: (pattern: string) => boolean): string[] {
  const { Action, Resource, Principal, Condition } = statement
  const isMail = Condition?.StringEquals?.['ses:FromAddress'] !== undefined
  const isOfPictures = listOf(Action).join() === 'rekognition:DetectLabels'
  const isOfJobs = listOf(Action).every((action) => ['mediaconvert:GetJob', 'mediaconvert:CancelJob'].includes(action))
  const isMeant = (pattern: string) =>
    isScoped(pattern) ||
    (isOfPictures && pattern === '*') ||
    (isMail && /^arn:aws:ses:[\w-]+:\d+:identity\/\*$/.test(pattern)) ||
    (isOfJobs && /^arn:aws:mediaconvert:[\w-]+:\d+:jobs\/\*$/.test(pattern))
  const excesses = [
    ...listOf(Action).filter((action) => /[*?]/.test(action)),
    ...listOf(Resource ?? []).filter((pattern) => !isMeant(pattern)),
    ...(Principal === '*' || (Principal?.AWS !== undefined && listOf(Principal.AWS).includes('*')) ? ['everybody'] : []),
  ]
  return excesses.map((excess) => `${owner} allows ${excess}`)
}

/** Whether a pattern names one resource, or the objects of a bucket that belong together. */
export function scopes(resources: readonly DeployedResource[]): (pattern: string) => boolean {
  const arns = new Set(
    resources.flatMap(({ type, attributes: { Arn } }) =>
      type === 'AWS::S3::Bucket' ? kindsOfObjects.map((keys) => `${Arn}/${keys}`) : (Arn ?? []),
    ),
  )
  return (pattern) => !/[*?]/.test(pattern) || arns.has(pattern)
}

/** Where statements of a deployment reach further than any purpose can, in sentences. */
export function excessesIn(resources: readonly DeployedResource[]): string[] {
  const isScoped = scopes(resources)
  const allowing = new Account(resources).statements().filter(({ statement }: { statement: Statement }) => statement.Effect === 'Allow')
  return allowing.flatMap((held) => excessesOf(held, isScoped))
}
