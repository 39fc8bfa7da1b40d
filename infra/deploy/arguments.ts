import { parseArgs } from 'node:util'
import { type DeploymentSettings, readSettings } from '../stack/settings.ts'

/** The arguments of `cdk deploy` that the steps around it need. */
export interface DeployArguments {
  settings: DeploymentSettings
  profile: string | undefined
}

/**
 * @param args of the CDK: `-c key=value` and `--profile name` are read, others ignored
 * @param context of cdk.json
 * @throws Error that names every wrong setting
 */
export function readArguments(args: readonly string[], context: Readonly<Record<string, unknown>>): DeployArguments {
  const { values } = parseArgs({
    args: [...args],
    options: { context: { type: 'string', short: 'c', multiple: true }, profile: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  })
  const given = [values.context ?? []].flat().map((pair) => String(pair).split(/=(.*)/s, 2))
  const all: Record<string, unknown> = { ...context, ...Object.fromEntries(given) }
  return { settings: readSettings((key) => all[key]), profile: typeof values.profile === 'string' ? values.profile : undefined }
}
