import { parseArgs } from 'node:util'
import type { GivenSettings } from '../stack/kept-settings.ts'
import { changedSettings, readSettings, settingNames } from '../stack/settings.ts'

/** The arguments of `cdk deploy` that the steps around it need. */
export interface DeployArguments {
  stackName: string
  /** Settings that the operator gives: on the command line, or in cdk.json where it isn't the default. An empty one goes back to the default. */
  given: GivenSettings
  profile: string | undefined
  /** Folder of the synthesized stack. */
  output: string
}

/** The part of cdk.json that arguments change. */
export interface CdkDefaults {
  context: Readonly<Record<string, unknown>>
  output: string
}

/**
 * @param args of the CDK: `-c key=value`, `--profile name` and `--output folder` are read, others ignored
 * @throws Error that names every key that is no setting, and a stack's name that can't be one
 */
export function readArguments(args: readonly string[], { context, output }: CdkDefaults): DeployArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      context: { type: 'string', short: 'c', multiple: true },
      profile: { type: 'string' },
      output: { type: 'string', short: 'o', default: output },
    },
    strict: false,
    allowPositionals: true,
  })
  const pairs = [values.context ?? []].flat().map((pair) => String(pair).split(/=(.*)/s, 2))
  refuseUnknown(pairs)
  const settings = pairs.filter(([key = '']) => !isOfCdk(key))
  const profile = typeof values.profile === 'string' ? values.profile : undefined
  const { stackName: named = context.stackName, ...given } = { ...changedSettings((key) => context[key]), ...Object.fromEntries(settings) }
  const { stackName } = readSettings((key) => (key === 'stackName' ? named : undefined))
  return { stackName, given, profile, output: String(values.output) }
}

/** Keys of the CDK's own have a colon. */
const isOfCdk = (key: string) => key.includes(':')

/** @throws Error that names keys that are no settings */
function refuseUnknown(pairs: readonly string[][]): void {
  const problems = pairs.flatMap(([key = '', value]) => {
    if (value === undefined) return `-c ${key} has no value: write -c ${key}=value.`
    if (isOfCdk(key) || (settingNames as readonly string[]).includes(key)) return []
    const start = key.slice(0, 3).toLowerCase()
    const similar = settingNames.filter((name) => name.slice(0, 3).toLowerCase() === start)
    return `${key} is no setting.${similar.length > 0 ? ` There is ${similar.join(', ')}.` : ''} infra/README.md lists them.`
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
