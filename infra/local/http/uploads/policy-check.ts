import { timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { EMBEDDED_ACCESS_KEY, EMBEDDED_REGION, type EmbeddedUploads } from '../../../../shared/backends/objects/embedded-upload-form.ts'
import { ALGORITHM, parseScope, signPolicy } from '../../../../shared/backends/objects/upload-policy.ts'
import { fieldMissing, UploadRefused } from './upload-refused.ts'

/** The policy's limits of the file's size, which are checked while the file arrives, in bytes. */
export interface SizeLimits {
  minBytes: number
  maxBytes: number
}

const Bytes = z.number().int().min(0)
const PolicyDocument = z.object({
  expiration: z.iso.datetime(),
  conditions: z.array(
    z.union([
      z.record(z.string(), z.string()),
      z.tuple([z.enum(['eq', 'starts-with']), z.string().startsWith('$'), z.string()]),
      z.tuple([z.literal('content-length-range'), Bytes, Bytes]),
    ]),
  ),
})
type PolicyDocument = z.infer<typeof PolicyDocument>

interface FieldCondition {
  match: 'eq' | 'starts-with'
  field: string
  value: string
}

/** Fields that need no condition. */
const UNCONDITIONED = ['policy', 'x-amz-signature', 'file']

/**
 * Checks the fields of a posted form against its signed policy, as S3 does: signature, expiry, each condition, and no field without one.
 * @param fields by lower-case name, `key` with the file's name filled in
 * @throws UploadRefused
 */
export async function checkPolicy(fields: ReadonlyMap<string, string>, uploads: EmbeddedUploads): Promise<SizeLimits> {
  const policy = fields.get('policy')
  if (policy === undefined) throw fieldMissing('policy')
  checkSignature(policy, fields, await uploads.secrets())
  const document = parsePolicy(policy)
  if (uploads.clock.now() >= Date.parse(document.expiration)) throw invalid('Policy expired.')
  checkConditions(document, new Map([...fields, ['bucket', uploads.bucket]]))
  return sizeLimits(document)
}

function checkSignature(policy: string, fields: ReadonlyMap<string, string>, secrets: readonly string[]): void {
  if (fields.get('x-amz-algorithm') !== ALGORITHM) throw new UploadRefused('InvalidArgument', `X-Amz-Algorithm must be ${ALGORITHM}.`)
  const scope = parseScope(fields.get('x-amz-credential') ?? '')
  if (!scope || scope.region !== EMBEDDED_REGION) throw new UploadRefused('InvalidArgument', 'X-Amz-Credential is malformed.')
  if (scope.accessKeyId !== EMBEDDED_ACCESS_KEY) throw new UploadRefused('InvalidAccessKeyId', 'The access key does not exist.')
  const given = Buffer.from(fields.get('x-amz-signature') ?? '')
  const isOf = (secret: string) => {
    const expected = Buffer.from(signPolicy(policy, scope, secret))
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  if (!secrets.some(isOf)) {
    throw new UploadRefused('SignatureDoesNotMatch', 'The signature is not the one of this policy.')
  }
}

function parsePolicy(policy: string): PolicyDocument {
  try {
    return PolicyDocument.parse(JSON.parse(Buffer.from(policy, 'base64').toString()))
  } catch {
    throw new UploadRefused('InvalidPolicyDocument', 'Invalid Policy: it is no policy document.')
  }
}

function checkConditions(document: PolicyDocument, fields: ReadonlyMap<string, string>): void {
  const conditions = fieldConditions(document)
  for (const { match, field, value } of conditions) {
    const given = fields.get(field) ?? ''
    const holds = match === 'eq' ? given === value : given.startsWith(value)
    if (!holds) throw invalid(`Policy Condition failed: ["${match}", "$${field}", ${JSON.stringify(value)}]`)
  }
  const named = new Set([...UNCONDITIONED, ...conditions.map(({ field }) => field)])
  const extra = [...fields.keys()].filter((field) => !named.has(field) && !field.startsWith('x-ignore-'))
  if (extra.length > 0) throw invalid(`Extra input fields: ${extra.join(', ')}`)
}

function fieldConditions(document: PolicyDocument): FieldCondition[] {
  return document.conditions.flatMap((condition): FieldCondition[] => {
    if (!Array.isArray(condition)) {
      return Object.entries(condition).map(([field, value]) => ({ match: 'eq', field: field.toLowerCase(), value }))
    }
    if (condition[0] === 'content-length-range') return []
    return [{ match: condition[0], field: condition[1].slice(1).toLowerCase(), value: condition[2] }]
  })
}

function sizeLimits(document: PolicyDocument): SizeLimits {
  const limits = { minBytes: 0, maxBytes: Number.POSITIVE_INFINITY }
  for (const condition of document.conditions) {
    if (!Array.isArray(condition) || condition[0] !== 'content-length-range') continue
    limits.minBytes = Math.max(limits.minBytes, condition[1])
    limits.maxBytes = Math.min(limits.maxBytes, condition[2])
  }
  return limits
}

function invalid(reason: string): UploadRefused {
  return new UploadRefused('AccessDenied', `Invalid according to Policy: ${reason}`)
}
