import * as z from 'zod'
import { hasNoControls } from '../../library/names.ts'
import { MAX_ID, toCliqueId, toCompanyId, toFolderId, toMediaId, toPresetId, toProviderId, toUserId } from '../../vocabulary/ids.ts'
import { documentedAs } from './json-schema.ts'
import { OUT_OF_RANGE } from './problems.ts'

/** Ids in examples. Those of each kind differ, so that a reader of the API document sees which one goes where. */
const exampleIds = {
  clique: 51077,
  company: 4207,
  folder: 1843027,
  key: 3301,
  media: 902114,
  membership: 660412,
  preset: 88017,
  provider: 7203311,
  user: 70311,
}

type IdKind = keyof typeof exampleIds

/** An id in the API document. */
const shownId = (kind: IdKind) => ({ type: 'integer', minimum: 1, maximum: MAX_ID, examples: [exampleIds[kind]] })

/** Ids in a path or a query: digits. A number outside the range of ids has a message of its own, because in a path it is a 404 (input.ts). */
export const CliqueIdText = idText(toCliqueId, 'clique')
export const CompanyIdText = idText(toCompanyId, 'company')
export const FolderIdText = idText(toFolderId, 'folder')
export const MediaIdText = idText(toMediaId, 'media')
export const PresetIdText = idText(toPresetId, 'preset')
export const ProviderIdText = idText(toProviderId, 'provider')
export const UserIdText = idText(toUserId, 'user')

/** A number that counts from 1, in a path. Like ids: what can't exist is 404. */
const countText = (what: string, example: number) =>
  documentedAs(
    z
      .string()
      .regex(/^-?\d+$/, `must be ${what} (a whole number)`)
      .transform(Number)
      .refine((count) => count >= 1 && count <= MAX_ID, OUT_OF_RANGE),
    { type: 'integer', minimum: 1, maximum: MAX_ID, examples: [example] },
  )

export const FileNumberText = countText('the number of a file', 2)
export const VersionText = countText('a version', 3)

/** Ids in JSON: a number, or a string of digits, which some clients send. */
export const CompanyIdJson = idJson(toCompanyId, 'company')
export const FolderIdJson = idJson(toFolderId, 'folder')
export const MediaIdJson = idJson(toMediaId, 'media')

/** Ids in answers. */
export const AnswerCliqueId = answerId('clique')
export const AnswerCompanyId = answerId('company')
export const AnswerFolderId = answerId('folder')
export const AnswerKeyId = answerId('key')
export const AnswerMediaId = answerId('media')
export const AnswerMembershipId = answerId('membership')
export const AnswerPresetId = answerId('preset')
export const AnswerProviderId = answerId('provider')
export const AnswerUserId = answerId('user')

/** The number of the current file of a media record, in an answer. */
export const AnswerFileNumber = z
  .number()
  .int()
  .meta({ minimum: 1, description: 'counts the files that the record has had; 1 after upload', examples: [1] })

/** The user who uploaded a file, in an answer. */
export const AnswerUploader = AnswerUserId.meta({
  ...shownId('user'),
  minimum: 0,
  description: 'user id; 0 for items of the stock library',
})

/** A time in an answer, as `timestamp()` of library/time.ts writes it. */
export const AnswerTime = z.string().meta({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$',
  description: 'UTC, YYYY-MM-DD HH:MM:SS',
  examples: ['2026-05-17 09:30:00'],
})

/** A time with its offset, as UNIX milliseconds. */
export const TimeText = z.iso
  .datetime({ offset: true })
  .transform((time) => Date.parse(time))
  .meta({ format: 'date-time', examples: ['2026-05-17T10:00:00Z'] })

/** A time in an answer, as `isoTime()` of library/time.ts writes it. */
export const AnswerIsoTime = z.string().meta({
  format: 'date-time',
  description: 'ISO 8601 in UTC',
  examples: ['2026-05-17T10:00:00Z'],
})

/** A text in an answer; null where there is none. */
export const answerText = (example: string) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] })

/** A width or a height in an answer. */
export const AnswerPixels = z
  .number()
  .int()
  .nullable()
  .meta({ description: 'pixels; null for what has none', examples: [3000] })

/** UNIX seconds in an answer. */
export const AnswerSeconds = z
  .number()
  .int()
  .meta({ description: 'UNIX seconds', examples: [1779010200] })

/** Control characters but tab, line feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
const hasLoneSurrogate = (value: string) => !value.isWellFormed()

/** Counts a pair of surrogates as one character. */
const atMost = (max: number) => (value: string) => value.length <= max || (value.length <= 2 * max && [...value].length <= max)

/** Free text, also over several lines: NFC, no control characters. @param max characters */
export function text(max: number) {
  return z
    .string()
    .refine(atMost(max), `must be at most ${max} characters`)
    .refine((value) => !CONTROL.test(value) && !hasLoneSurrogate(value), 'must not contain control characters')
    .meta({ maxLength: max, pattern: String.raw`^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$` })
    .transform((value) => value.normalize('NFC'))
}

/** A pattern for the API document: one line with a visible character. */
const CONTROLS = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069`
const LINE_PATTERN = String.raw`^[^${CONTROLS}]*[^\s\ufeff${CONTROLS}][^${CONTROLS}]*$`

/** A name: 1 to 255 characters after trim and NFC, no control characters. */
export const Name = z
  .string()
  // Pasting often adds white space around a name, even tabs and line breaks. Inside a name those are refused.
  .trim()
  .refine((value) => hasNoControls(value) && !hasLoneSurrogate(value), 'must not contain control characters')
  .transform((value) => value.normalize('NFC'))
  .pipe(z.string().min(1, 'must not be empty').refine(atMost(255), 'must be at most 255 characters'))
  .meta({ minLength: 1, maxLength: 255, pattern: LINE_PATTERN, examples: ['Harbour'] })

/** Most characters of a comment. */
const MAX_COMMENT = 2_000

/** A comment on one of the files of a media record: trimmed; may be empty. */
export const Comment = text(MAX_COMMENT)
  .transform((value) => value.trim())
  .meta({ examples: ['The retouched one'] })

/** The version that a file must have, in a body. */
export const IfVersion = z
  .number()
  .int()
  .min(1)
  .max(MAX_ID)
  .meta({ examples: [4] })

/** `yyyy-mm-dd` of a day that exists. */
export const Day = z
  .string()
  .refine(isDay, 'must be a date like yyyy-mm-dd')
  .meta({ format: 'date', examples: ['2030-01-31'] })

/** The schema of ids of one kind, in a path or a query. */
function idText<Id extends number>(toId: (id: number) => Id, kind: IdKind) {
  return documentedAs(
    z
      .string()
      .regex(/^-?\d+$/, 'must be an id (a whole number)')
      .transform((digits) => toId(Number(digits)))
      .refine((id) => id >= 1 && id <= MAX_ID, OUT_OF_RANGE),
    shownId(kind),
  )
}

/** The schema of ids of one kind in JSON. */
function idJson<Id extends number>(toId: (id: number) => Id, kind: IdKind) {
  const number = z.number().int().min(1).max(MAX_ID)
  const digits = z.string().regex(/^\d+$/).transform(Number).pipe(number)
  return documentedAs(z.union([number, digits], { error: 'must be an id (a whole number)' }).transform(toId), shownId(kind))
}

/** The schema of ids of one kind in answers. */
function answerId(kind: IdKind) {
  return z.number().int().meta(shownId(kind))
}

/** Whether the text is `yyyy-mm-dd` of a day that exists: `Date.parse()` takes February 30 for March 2. */
export function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value
}

/** The empty answer. */
export const Empty = z.object({}).meta({ id: 'Empty', description: 'Nothing to say.' })
