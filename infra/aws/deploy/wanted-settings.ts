import { CloudFormationClient, GetTemplateCommand, type Stack } from '@aws-sdk/client-cloudformation'
import { outputsIn } from '../library/stack.ts'
import { type GivenSettings, SETTINGS_OUTPUT } from '../stack/kept-settings.ts'
import { changedSettings, type DeploymentSettings, readSettings, settingNames } from '../stack/settings.ts'
import { graveChanges } from './changes.ts'
import { formerSettings, untold } from './former-settings.ts'

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
 * @throws Error that names every wrong setting, or says why the stack's template can't be read
 */
export async function wantedSettings(
  stackName: string,
  given: GivenSettings,
  stack: Stack | undefined,
  client: Pick<CloudFormationClient, 'send'> = new CloudFormationClient({ maxAttempts: 2 }),
): Promise<WantedSettings> {
  const outputs = stack ? outputsIn(stack) : new Map<string, string>()
  const { kept, notes }: Kept = stack ? await keptSettings(stackName, outputs, client) : { kept: {}, notes: [] }
  const texts: GivenSettings = { ...kept, ...given }
  const settings = readSettings((name) => (name === 'stackName' ? stackName : texts[name]))
  const lasting = changedSettings((name) => texts[name])
  const goesOn = Object.entries(kept).filter(([name, value]) => !(name in given) && value !== '')
  if (goesOn.length > 0) notes.push(`The stack goes on with ${goesOn.map(([name, value]) => `${name}=${value}`).join(', ')}.`)
  const context = Object.entries(texts).flatMap(([name, value]) => ['--context', `${name}=${value}`])
  return {
    settings,
    context: [...context, '--context', `kept=${JSON.stringify(lasting)}`],
    changes: stack ? graveChanges({ before: changedSettings((name) => kept[name]), after: lasting, outputs }) : [],
    notes,
  }
}

interface Kept {
  kept: GivenSettings
  notes: string[]
}

async function keptSettings(
  stackName: string,
  outputs: ReadonlyMap<string, string>,
  client: Pick<CloudFormationClient, 'send'>,
): Promise<Kept> {
  if (!outputs.has('TableName')) throw new Error(`The stack ${stackName} is no media library. Name another one: -c stackName=NAME.`)
  const json = outputs.get(SETTINGS_OUTPUT)
  if (json !== undefined) {
    const known = Object.entries<string>(JSON.parse(json)).filter(([name]) => (settingNames as readonly string[]).includes(name))
    return { kept: Object.fromEntries(known), notes: [] }
  }
  const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: stackName })).catch((cause: Error) => {
    throw new Error(`The settings of the stack ${stackName} could not be read from its template: ${cause.message}`, { cause })
  })
  const note = `The stack ${stackName} is of a version that kept no settings: they are read from its template, which does not tell ${untold}. Give those that you changed once more.`
  return { kept: formerSettings(JSON.parse(TemplateBody!)), notes: [note] }
}
