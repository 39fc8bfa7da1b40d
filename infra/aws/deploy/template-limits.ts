import { type WrittenTemplate, writtenTemplates } from './written-templates.ts'

/** The most that CloudFormation takes of one template. Source: CloudFormation User Guide, "Understand CloudFormation quotas". */
const MOST = { bytes: 1_000_000, resources: 500, parameters: 200, outputs: 200 } as const

/** How large the templates of a deployment are, a line for each, and why CloudFormation would refuse them, in sentences. */
export interface TemplateSizes {
  lines: string[]
  refusals: string[]
}

/** The size of a template by everything that CloudFormation limits. */
export function sizeOf({ bytes, template }: WrittenTemplate): Record<keyof typeof MOST, number> {
  const { Resources, Parameters = {}, Outputs = {} } = template
  const count = (section: object) => Object.keys(section).length
  return { bytes, resources: count(Resources), parameters: count(Parameters), outputs: count(Outputs) }
}

/**
 * Measures the templates of a stack, those of nested stacks too: each counts by itself.
 * @param folder what `cdk synth` wrote; it may also hold templates of earlier runs
 */
export function templateSizes(folder: string, stackName: string): TemplateSizes {
  const sizes: TemplateSizes = { lines: [], refusals: [] }
  for (const written of writtenTemplates(folder, stackName)) {
    const { name } = written
    const counted = sizeOf(written)
    const of = (unit: keyof typeof MOST) => `${counted[unit].toLocaleString('en')} ${unit}`
    const most = (unit: keyof typeof MOST) => MOST[unit].toLocaleString('en')
    sizes.lines.push(`${name}: ${of('bytes')} of ${most('bytes')}, ${of('resources')} of ${most('resources')}`)
    for (const unit of Object.keys(MOST) as (keyof typeof MOST)[])
      if (counted[unit] > MOST[unit])
        sizes.refusals.push(`CloudFormation would refuse ${name}: it has ${of(unit)}, at most ${most(unit)} are taken.`)
  }
  return sizes
}
