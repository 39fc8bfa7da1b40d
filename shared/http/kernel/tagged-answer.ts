import type { Caller } from '../../library/access/caller.ts'
import type { TagParts } from '../declaration/tagged.ts'
import { hasTag, weakTag } from '../protocol/etag.ts'
import type { ApiEvent, ApiResult } from '../protocol/exchange.ts'
import { notModified, withTag } from './revalidation.ts'

/**
 * The tag of an answer that is made of data of these versions.
 * @param version of the service: other code makes other answers of the same data
 */
export function tagOf(parts: TagParts, event: ApiEvent, caller: Caller | undefined, version: string): string {
  const asked = [event.resource, event.pathParameters, event.multiValueQueryStringParameters]
  return weakTag(JSON.stringify([version, asked, callerId(caller), parts]))
}

function callerId(caller: Caller | undefined): readonly [kind: string, id: number] | undefined {
  return caller && [caller.kind, caller.kind === 'user' ? caller.user.userId : caller.key.keyId]
}

/** An answer under its tag, or 304 for a client who has it. */
export async function taggedAnswer(etag: string, known: string | undefined, make: () => Promise<ApiResult>): Promise<ApiResult> {
  return known !== undefined && hasTag(known, etag) ? notModified(etag) : withTag(await make(), etag)
}
