import { DeleteObjectCommand, GetBucketVersioningCommand, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3'
import { listedKey } from '../../../shared/backends/objects/s3-values.ts'

/** The result of a bucket's restore. */
export interface RestoredObjects {
  /** Objects that had been deleted, and are there again. */
  restored: number
  /** Keys of objects that were replaced: what is there now stays, with the earlier version behind it. */
  replaced: string[]
}

interface Version {
  versionId: string
  at: Date
  isMarker: boolean
}

/**
 * Brings objects back that were deleted since a time, by removing the markers that hide them. Nothing is copied, and no version is deleted. Idempotent.
 * @throws Error where the bucket keeps no earlier versions
 */
export async function restoreObjects(client: S3Client, bucket: string, since: Date): Promise<RestoredObjects> {
  const { Status } = await client.send(new GetBucketVersioningCommand({ Bucket: bucket }))
  if (!Status) throw new Error(`The bucket ${bucket} keeps no versions of deleted objects: a stack without "retain" has none.`)
  let restored = 0
  const replaced: string[] = []
  for await (const [key, versions] of versionsByKey(client, bucket)) {
    const then = versions.find(({ at }) => at <= since)
    if (!then || then.isMarker) continue
    const later = versions.slice(0, versions.indexOf(then))
    const hiding = later.slice(0, later.findIndex(({ isMarker }) => !isMarker) >>> 0)
    for (const { versionId } of hiding) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }))
    }
    if (hiding.length > 0) restored++
    if (hiding.length < later.length) replaced.push(key)
  }
  return { restored, replaced }
}

/** All keys, each with its versions, the newest first. */
async function* versionsByKey(client: S3Client, bucket: string): AsyncGenerator<[string, Version[]]> {
  let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {}
  let open: [string, Version[]] | undefined
  for (;;) {
    const page = await client.send(new ListObjectVersionsCommand({ Bucket: bucket, EncodingType: 'url', ...next }))
    const named = (key: string) => (page.EncodingType === 'url' ? listedKey(key) : key)
    const entries = [
      ...(page.Versions ?? []).map((entry) => ({ ...entry, isMarker: false })),
      ...(page.DeleteMarkers ?? []).map((entry) => ({ ...entry, isMarker: true })),
    ]
    const byKey = Map.groupBy(entries, ({ Key = '' }) => named(Key))
    for (const key of [...byKey.keys()].sort(byBytes)) {
      // A key's versions may go on in the next page.
      if (open && open[0] !== key) {
        yield sorted(open)
        open = undefined
      }
      open ??= [key, []]
      open[1].push(
        ...byKey.get(key)!.map(({ VersionId = '', LastModified, isMarker }) => ({ versionId: VersionId, at: LastModified!, isMarker })),
      )
    }
    if (!page.IsTruncated) break
    next = { KeyMarker: page.NextKeyMarker && named(page.NextKeyMarker), VersionIdMarker: page.NextVersionIdMarker }
  }
  if (open) yield sorted(open)
}

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Times are of whole seconds: of one second, a marker hides what was stored before. */
const sorted = ([key, versions]: [string, Version[]]): [string, Version[]] => [
  key,
  versions.toSorted((a, b) => b.at.getTime() - a.at.getTime() || Number(b.isMarker) - Number(a.isMarker)),
]
