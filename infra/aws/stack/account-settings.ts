import * as z from 'zod'

/** What AWS takes as keys and values of tags. Source: "Tagging your AWS resources", Tag naming limits. */
const TAG = /^[\p{L}\p{N} _.:/=+@-]*$/u
const MAX_TAGS = 50
const MAX_KEY = 128
const MAX_VALUE = 256

const TAGS = `up to ${MAX_TAGS} pairs key=value, separated by commas: letters, digits, blanks and _ . : / = + - @, keys of 1 to ${MAX_KEY} characters that don't begin with aws:, each once, values of up to ${MAX_VALUE}`

/** Tags of the stack: `cost-center=1234,team=media`. */
export const tags = z
  .string()
  .transform((text) => text.split(',').map((pair) => pair.trim().split(/=(.*)/s, 2) as [string, string?]))
  .refine((pairs) => pairs.length <= MAX_TAGS && new Set(pairs.map(([key]) => key)).size === pairs.length && pairs.every(isTag), {
    error: TAGS,
  })
  .transform((pairs) => Object.fromEntries(pairs as [string, string][]))

function isTag([key, value]: [string, string?]): boolean {
  if (key.length < 1 || key.length > MAX_KEY || /^aws:/i.test(key)) return false
  return value !== undefined && value.length <= MAX_VALUE && TAG.test(key) && TAG.test(value)
}

/** The policy that bounds every role of the stack. */
export const permissionsBoundary = z
  .string()
  .regex(
    /^(arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/[\w+=,.@/-]{1,512}|[\w+=,.@-]{1,128})$/,
    'the name of a policy of IAM in this account, or the ARN of one',
  )

/** Of the bootstrap of the CDK: its bucket has it in its name. */
export const qualifier = z.string().regex(/^[a-z0-9]{1,10}$/, 'up to 10 lower-case letters and digits')
