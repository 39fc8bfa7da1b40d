import type { Stack } from '@aws-sdk/client-cloudformation'
import { describePlace, findPlace, type Place } from '../place.ts'
import type { Command } from './arguments.ts'
import { argumentsOf } from './cdk.ts'
import { leftoversOf } from './leftovers.ts'
import { isTerminal, requireYes } from './questions.ts'
import { isNewStack, settledStack } from './settled-stack.ts'
import { type WantedSettings, wantedSettings } from './wanted-settings.ts'

/** A deployment that may begin. */
export interface Prepared extends Omit<WantedSettings, 'changes' | 'notes'> {
  place: Place
  /** As it was before; undefined where there is none. */
  stack: Stack | undefined
  isNew: boolean
  isDryRun: boolean
  /** Arguments for the CDK. */
  args: string[]
  /** Folder of the synthesized stack. */
  folder: string
}

/** Options of `deploy` that are not the CDK's. */
const own = ['dry-run', 'yes', 'accept-changes'] as const
const command: Command = { name: 'npm run deploy', options: Object.fromEntries(own.map((name) => [name, { type: 'boolean' }])) }

/**
 * Finds account, region, stack and settings, says them, and asks the person at the terminal before a stack is made in the wrong place, or moves
 * to other data.
 * @param argv of `npm run deploy`
 * @throws Error in a sentence
 */
export async function prepare(argv: readonly string[]): Promise<Prepared> {
  const has = (option: (typeof own)[number]) => argv.includes(`--${option}`)
  const args = argv.filter((arg) => !own.some((option) => arg === `--${option}`))
  const { stackName, given, profile, output: folder } = argumentsOf(argv, command)
  // npm takes options before `--` for its own, and this one must not end in a deployment.
  if (process.env.npm_config_dry_run === 'true' && !has('dry-run')) throw new Error('Write it behind --: npm run deploy -- --dry-run')
  const place = await findPlace(profile)
  const isDryRun = has('dry-run')
  const stack = await settledStack(stackName, { say: console.error })
  const isNew = isNewStack(stack)
  const { changes, notes, ...wanted } = wantedSettings(stackName, given, isNew ? undefined : stack)
  const what = isNew ? 'A new stack' : 'An update of the stack'
  const time = isDryRun ? 'makes nothing (--dry-run)' : `takes about ${isNew ? 'a quarter of an hour' : 'five to ten minutes'}`
  console.error(`${what} ${stackName} in ${describePlace(place)}: ${time}.`)
  const leftovers = isNew && stack ? await leftoversOf(stackName).catch(() => []) : []
  for (const note of [...notes, ...changes, ...leftovers]) console.error(note)
  if (!isDryRun) {
    if (isNew && isTerminal() && !has('yes')) await requireYes(`Make a new stack ${stackName} in ${describePlace(place)}?`)
    if (changes.length > 0 && !has('accept-changes')) await acceptChanges()
  }
  return { ...wanted, place, stack, isNew, isDryRun, args, folder }
}

async function acceptChanges(): Promise<void> {
  if (!isTerminal()) throw new Error('Nothing was changed. To have it so: --accept-changes')
  await requireYes('Go on with these changes?')
}
