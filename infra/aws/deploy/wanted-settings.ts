import type { Stack } from '@aws-sdk/client-cloudformation'
import { outputsIn } from '../library/stack.ts'
import { type GivenSettings, SETTINGS_OUTPUT } from '../stack/kept-settings.ts'
import { changedSettings, type DeploymentSettings, readSettings, settingNames } from '../stack/settings.ts'
import { graveChanges } from './changes.ts'

/** What a stack is to be deployed with. */
export interface WantedSettings {
  settings: DeploymentSettings
  /** Arguments of the CDK that say so. */
  context: string[]
  /** Changes that the operator must want, in sentences. */
  changes: string[]
  /** What goes on as it was without being given again, for the operator. */
  notes: string[]
}

/**
 * Adds what the operator gives to what the stack has: a deployment goes on with what the stack has, unless something else is said.
 * @param stack that is there
 * @throws Error that names every wrong setting
 */
export function wantedSettings(stackName: string, given: GivenSettings, stack: Stack | undefined): WantedSettings {
  const outputs = stack ? outputsIn(stack) : new Map<string, string>()
  const kept = stack ? keptSettings(stackName, outputs) : {}
  const texts: GivenSettings = { ...kept, ...given }
  const settings = readSettings((name) => (name === 'stackName' ? stackName : texts[name]))
  const lasting = changedSettings((name) => texts[name])
  const goesOn = Object.entries(kept).filter(([name, value]) => !(name in given) && value !== '')
  const context = Object.entries(texts).flatMap(([name, value]) => ['--context', `${name}=${value}`])
  return {
    settings,
    context: [...context, '--context', `kept=${JSON.stringify(lasting)}`],
    changes: stack ? graveChanges({ before: changedSettings((name) => kept[name]), after: lasting, outputs }) : [],
    notes: goesOn.length > 0 ? [`The stack goes on with ${goesOn.map(([name, value]) => `${name}=${value}`).join(', ')}.`] : [],
  }
}

/** The settings that a stack keeps. @throws Error where it is none of a media library */
function keptSettings(stackName: string, outputs: ReadonlyMap<string, string>): GivenSettings {
  const json = outputs.get(SETTINGS_OUTPUT)
  if (json === undefined) throw new Error(`The stack ${stackName} is no media library. Name another one: -c stackName=NAME.`)
  const known = Object.entries<string>(JSON.parse(json)).filter(([name]) => (settingNames as readonly string[]).includes(name))
  return Object.fromEntries(known)
}
