import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The most that CloudFormation takes of one template. Source: CloudFormation User Guide, "Understand CloudFormation quotas". */
const MOST = { bytes: 1_000_000, resources: 500 } as const

/** What the CLI uploads for a stack. */
interface Assets {
  files: Record<string, { source: { path: string } }>
}

/** How large the templates of a deployment are, a line for each, and why CloudFormation would refuse them, in sentences. */
export interface TemplateSizes {
  lines: string[]
  refusals: string[]
}

/**
 * Measures the templates of a stack, those of nested stacks too: each counts by itself.
 * @param folder what `cdk synth` wrote; it may also hold templates of earlier runs
 */
export async function templateSizes(folder: string, stackName: string): Promise<TemplateSizes> {
  const { files } = JSON.parse(await readFile(join(folder, `${stackName}.assets.json`), 'utf8')) as Assets
  const names = Object.values(files)
    .map(({ source }) => source.path)
    .filter((path) => path.endsWith('.template.json'))
    .sort()
  const sizes: TemplateSizes = { lines: [], refusals: [] }
  for (const name of names) {
    const written = await readFile(join(folder, name))
    const counted = { bytes: written.length, resources: Object.keys(JSON.parse(written.toString()).Resources ?? {}).length }
    const of = (unit: keyof typeof MOST) => `${counted[unit].toLocaleString('en')} ${unit}`
    const most = (unit: keyof typeof MOST) => MOST[unit].toLocaleString('en')
    sizes.lines.push(`${name}: ${of('bytes')} of ${most('bytes')}, ${of('resources')} of ${most('resources')}`)
    for (const unit of ['bytes', 'resources'] as const)
      if (counted[unit] > MOST[unit])
        sizes.refusals.push(`CloudFormation would refuse ${name}: it has ${of(unit)}, at most ${most(unit)} are taken.`)
  }
  return sizes
}
