import { InvalidArgumentError } from 'commander'
import type * as z from 'zod'
import { CliqueIdText, CompanyIdText, FolderIdText, isDay, Name, ProviderIdText } from '../../shared/http/declaration/fields.ts'
import { type KeyGrant, keyGrants } from '../../shared/library/accounts/api-keys.ts'
import { passwordProblem } from '../../shared/library/accounts/passwords.ts'
import { type Right, rights } from '../../shared/library/tree/folder.ts'
import { aliasProblem } from '../../shared/library/tree/system-folders.ts'
import type { CliqueId, CompanyId, FolderId, ProviderId } from '../../shared/vocabulary/ids.ts'
import { asciiMailAddress } from '../../shared/vocabulary/mail-address.ts'

/** Parsers of options. An error of theirs is wrong usage: exit code 2, with the usage. */

/** Wrong usage that a command notices while it runs. */
export class WrongUsage extends Error {
  override name = 'WrongUsage'
}

/** The id of a company. @throws InvalidArgumentError */
export const companyId = (value: string): CompanyId => id(CompanyIdText, value)

/** The id of a folder. @throws InvalidArgumentError */
export const folderId = (value: string): FolderId => id(FolderIdText, value)

/** The id of a clique. @throws InvalidArgumentError */
export const cliqueId = (value: string): CliqueId => id(CliqueIdText, value)

/** The id of a provider of sign-on. @throws InvalidArgumentError */
export const providerId = (value: string): ProviderId => id(ProviderIdText, value)

function id<Id>(schema: z.ZodType<Id>, value: string): Id {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new InvalidArgumentError('It must be an id (a whole number).')
  return parsed.data
}

/** A name of a company, user or person: trimmed, NFC. @throws InvalidArgumentError */
export function name(value: string): string {
  const parsed = Name.safeParse(value)
  if (!parsed.success) throw new InvalidArgumentError(`It ${parsed.error.issues[0]?.message}.`)
  return parsed.data
}

/** A day or a time of UTC, as UNIX milliseconds: `2026-05-17`, `2026-05-17T09:30:00Z`. @throws InvalidArgumentError */
export function time(value: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/.test(value) && isDay(value.slice(0, 10)) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It must be a day or a time, like 2026-05-17 or 2026-05-17T09:30:00Z.')
  return ms
}

/** How many to list, 1 to 10,000. @throws InvalidArgumentError */
export function limit(value: string): number {
  if (!/^[1-9]\d{0,4}$/.test(value) || Number(value) > 10_000) throw new InvalidArgumentError('It must be a whole number from 1 to 10000.')
  return Number(value)
}

/** Bytes, up to 1 PiB, or none. (Commander takes null for an empty text.) @throws InvalidArgumentError */
export function byteCount(value: string): number | 'none' {
  if (value === 'none') return value
  if (!/^\d{1,16}$/.test(value) || Number(value) > 2 ** 50) throw new InvalidArgumentError('It must be a whole number up to 2^50, or none.')
  return Number(value)
}

/** How many versions of a file are kept. @throws InvalidArgumentError */
export function versionCount(value: string): number {
  if (!/^\d{1,4}$/.test(value) || Number(value) < 1 || Number(value) > 1_000) {
    throw new InvalidArgumentError('It must be a whole number from 1 to 1000.')
  }
  return Number(value)
}

/** First path segment of the links to files in a folder. @throws InvalidArgumentError */
export function alias(value: string): string {
  const problem = aliasProblem(value)
  if (problem) throw new InvalidArgumentError(`It ${problem}.`)
  return value
}

/** One e-mail address, with its domain in ASCII form. @throws InvalidArgumentError */
export function mailAddress(value: string): string {
  const address = asciiMailAddress(value.trim())
  if (address === undefined) throw new InvalidArgumentError('It must be one e-mail address, like anna@example.com.')
  return address
}

/** `READ,WRITE`, in any case. @throws InvalidArgumentError */
export function flags(value: string): Right[] {
  return oneOrMoreOf(rights, value.toUpperCase())
}

/** `downloads,password_reset`. @throws InvalidArgumentError */
export function grants(value: string): KeyGrant[] {
  return oneOrMoreOf(keyGrants, value)
}

function oneOrMoreOf<T extends string>(known: readonly T[], value: string): T[] {
  const given = value.split(',').map((part) => part.trim())
  const wrong = given.find((part) => !known.some((one) => one === part))
  if (wrong !== undefined) throw new InvalidArgumentError(`It must be one or more of ${known.join(', ')}, separated by commas.`)
  return known.filter((one) => given.includes(one))
}

/** A password: as given, or the first line of standard input for `-`. @throws WrongUsage */
export async function password(value: string, console: { readInput(): Promise<string> }): Promise<string> {
  const given = await firstLine(value, console)
  const problem = passwordProblem(given)
  if (problem) throw new WrongUsage(`the password ${problem}`)
  return given
}

/** A secret: as given, or the first line of standard input for `-`. */
export async function firstLine(value: string, console: { readInput(): Promise<string> }): Promise<string> {
  return value === '-' ? (await console.readInput()).replace(/\r?\n[\s\S]*$/, '') : value
}
