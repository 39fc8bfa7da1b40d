import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A template that is deployed. */
export interface WrittenTemplate {
  /** Of its file. */
  name: string
  /** Size of the file. */
  bytes: number
  template: {
    readonly Resources: Readonly<Record<string, { readonly Type: string }>>
    readonly Parameters?: Readonly<Record<string, unknown>>
    readonly Outputs?: Readonly<Record<string, unknown>>
  }
}

/** What the CLI uploads for a stack. */
interface Assets {
  files: Record<string, { source: { path: string } }>
}

/**
 * Reads the templates of a stack and its nested ones.
 * @param folder what `cdk synth` wrote; it may also hold templates of earlier runs
 */
export function writtenTemplates(folder: string, stackName: string): WrittenTemplate[] {
  const { files } = JSON.parse(readFileSync(join(folder, `${stackName}.assets.json`), 'utf8')) as Assets
  const names = Object.values(files)
    .map(({ source }) => source.path)
    .filter((path) => path.endsWith('.template.json'))
  return names.sort().map((name) => {
    const written = readFileSync(join(folder, name))
    return { name, bytes: written.length, template: JSON.parse(written.toString()) }
  })
}
