import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { GivenSettings } from '../stack/kept-settings.ts'
import { changedSettings, readSettings, settingNames } from '../stack/settings.ts'

/** Options of every command on a stack that the CDK takes, too. */
const ofCdk: ParseArgsOptionsConfig = {
  context: { type: 'string', short: 'c', multiple: true },
  profile: { type: 'string' },
  output: { type: 'string', short: 'o' },
  'role-arn': { type: 'string', short: 'r' },
  proxy: { type: 'string' },
  'ca-bundle-path': { type: 'string' },
  rollback: { type: 'boolean' },
  color: { type: 'boolean' },
  ci: { type: 'boolean' },
  verbose: { type: 'boolean', short: 'v', multiple: true },
  debug: { type: 'boolean' },
}

/** How these options are explained. */
export const CDK_OPTIONS = `  -c, --context KEY=VALUE  a setting; infra/README.md lists them. Without a value it goes back to its default
  --profile NAME           profile of the AWS command line
  -r, --role-arn ARN       role with which CloudFormation works
  --proxy URL, --ca-bundle-path FILE
                           how AWS is reached
  --no-rollback            leaves what a failed deployment has made
  -o, --output FOLDER      where the templates are written
  -v, --verbose, --debug, --no-color, --ci
                           what the CDK prints`

/** What a command takes besides. */
export interface Command {
  /** As it is typed: `npm run deploy`. */
  name: string
  options: ParseArgsOptionsConfig
}

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

/** @throws Error that names an option that the command doesn't take, every key that is no setting, and a stack's name that can't be one */
export function readArguments(args: readonly string[], { context, output }: CdkDefaults, command: Command): DeployArguments {
  const values = valuesOf(args, command)
  const pairs = [values.context ?? []].flat().map((pair) => String(pair).split(/=(.*)/s, 2))
  refuseUnknown(pairs)
  const settings = pairs.filter(([key = '']) => !isOfCdk(key))
  const profile = typeof values.profile === 'string' ? values.profile : undefined
  const { stackName: named = context.stackName, ...given } = { ...changedSettings((key) => context[key]), ...Object.fromEntries(settings) }
  const { stackName } = readSettings((key) => (key === 'stackName' ? named : undefined))
  return { stackName, given, profile, output: String(values.output ?? output) }
}

function valuesOf(args: readonly string[], { name, options }: Command) {
  try {
    return parseArgs({ args: [...args], options: { ...ofCdk, ...options }, allowNegative: true }).values
  } catch (error) {
    const [what] = (error as Error).message.split(/\. (?=To specify|This command)/)
    throw new Error(`${what}. ${name} -- --help lists the options.`)
  }
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
