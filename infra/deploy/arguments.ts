import { parseArgs } from 'node:util'
import { type DeploymentSettings, readSettings } from '../stack/settings.ts'

/** The arguments of `cdk deploy` that the steps around it need. */
export interface DeployArguments {
  settings: DeploymentSettings
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
 * @throws Error that names every wrong setting
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
  const given = [values.context ?? []].flat().map((pair) => String(pair).split(/=(.*)/s, 2))
  const all: Record<string, unknown> = { ...context, ...Object.fromEntries(given) }
  const profile = typeof values.profile === 'string' ? values.profile : undefined
  return { settings: readSettings((key) => all[key]), profile, output: String(values.output) }
}
