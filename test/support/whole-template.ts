import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../infra/aws/stack/synthesized.ts'

/**
 * A synthesized stack with all its nested ones in one template, as if it had none: what is checked is the service, wherever a resource is.
 * @param folder what was synthesized
 */
export function wholeTemplate(folder: string, stackName: string): Json {
  const read = (name: string): Json => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const root = read(`${stackName}.template.json`)
  const files: Json[] = Object.values(read(`${stackName}.assets.json`).files)
  const parts = new Map<string, Json>()
  for (const [id, { Type, Properties }] of Object.entries<Json>(root.Resources)) {
    if (Type !== 'AWS::CloudFormation::Stack') continue
    const url = JSON.stringify(Properties.TemplateURL)
    const { source } = files.find(({ destinations }) => Object.values<Json>(destinations).some(({ objectKey }) => url.includes(objectKey)))
    const { Parameters = {} } = Properties
    parts.set(
      id,
      replaced(read(source.path), ([name, argument]) => (name === 'Ref' ? Parameters[argument] : undefined)),
    )
  }
  const whole = replaced(root, ([name, argument]) =>
    name === 'Fn::GetAtt' ? parts.get(argument[0])?.Outputs[argument[1].replace(/^Outputs\./, '')].Value : undefined,
  )
  for (const [id, part] of parts) {
    const { DependsOn = [] } = whole.Resources[id]
    delete whole.Resources[id]
    for (const [inner, resource] of Object.entries<Json>(part.Resources)) {
      if (whole.Resources[inner]) throw new Error(`two resources are called ${inner}`)
      whole.Resources[inner] = { ...resource, DependsOn: [resource.DependsOn ?? [], DependsOn].flat() }
    }
  }
  return whole
}

/** A copy in which functions of CloudFormation have given way. @param by what comes for one, undefined where it stays */
function replaced(value: Json, by: (fn: [name: string, argument: Json]) => Json): Json {
  if (Array.isArray(value)) return value.map((each) => replaced(each, by))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries<Json>(value)
  const instead = entries.length === 1 ? by(entries[0]!) : undefined
  return instead ?? Object.fromEntries(entries.map(([key, each]) => [key, replaced(each, by)]))
}
