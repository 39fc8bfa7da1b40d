import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { searchingFunctions, withOwnSearchFolder } from './own-search-folder.ts'
import type { CommandLine } from './stack-command.ts'
import { adaptTemplate, type Emulated, type Template } from './stack-template.ts'

interface FileAssets {
  files: Record<string, { source: { path: string; packaging: string }; destinations: Record<string, { objectKey: string }> }>
}

/** Functions that stream on AWS give whole answers on the emulator: its Node has none of what Lambda gives to stream with. */
const wholeAnswers = `globalThis.awslambda = {
  streamifyResponse: (handle) => async (event, context) => {
    const { PassThrough } = await import('node:stream')
    const { buffer } = await import('node:stream/consumers')
    const output = new PassThrough()
    const [body] = await Promise.all([buffer(output), handle(event, output, context)])
    return { ...output.head, isBase64Encoded: true, body: body.toString('base64') }
  },
  HttpResponseStream: { from: (output, head) => Object.assign(output, { head }) },
}
`

/** A cloud assembly of the product, in a folder of its own, that is changed for the emulator before it is deployed. */
export class Assembly {
  readonly folder: string
  readonly stackName: string
  readonly template: Template
  readonly #assets: FileAssets

  private constructor(folder: string, stackName: string, template: Template, assets: FileAssets) {
    this.folder = folder
    this.stackName = stackName
    this.template = template
    this.#assets = assets
  }

  /**
   * Synthesizes the stack as `npm run synth` does, adapted to the emulator.
   * @param folder where it goes; must not exist
   * @param context settings of cdk.json that differ from the defaults
   */
  static async synthesize(cdk: CommandLine, folder: string, emulated: Emulated, context: Record<string, string> = {}): Promise<Assembly> {
    const settings = Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    await cdk.run(['synth', '--quiet', '--output', folder, ...settings])
    const assembly = await Assembly.open(folder, context.stackName ?? 'media-library')
    adaptTemplate(assembly.template, assembly.stackName, emulated)
    await assembly.#useNativePartsOfThisMachine()
    await assembly.changeFunction('render-image', (code) => wholeAnswers + code)
    for (const key of searchingFunctions) await assembly.changeFunction(key, (code) => withOwnSearchFolder(code, `${folder}-search/${key}`))
    await assembly.write()
    return assembly
  }

  /** The assembly that was synthesized into a folder. */
  static async open(folder: string, stackName: string): Promise<Assembly> {
    const read = async (name: string) => JSON.parse(await readFile(join(folder, `${stackName}.${name}.json`), 'utf8'))
    return new Assembly(folder, stackName, await read('template'), await read('assets'))
  }

  /** A copy to be changed. @param folder where it goes; must not exist */
  async copy(folder: string): Promise<Assembly> {
    await cp(this.folder, folder, { recursive: true })
    return Assembly.open(folder, this.stackName)
  }

  /** Changes the code of a function. @param key its name without the stack's */
  async changeFunction(key: string, change: (code: string) => string): Promise<void> {
    const { Code } = this.functionNamed(key).Properties
    const [hash, asset] = Object.entries(this.#assets.files).find(([hash]) => Code.S3Key === `${hash}.zip`)!
    const path = join(this.folder, asset.source.path, 'index.mjs')
    const code = change(await readFile(path, 'utf8'))
    await writeFile(path, code)
    Code.S3Key = `${this.#rename(hash, sha256(code))}.zip`
  }

  /** The resource of a function. @param key its name without the stack's */
  functionNamed(key: string) {
    const name = `${this.stackName}-${key}`
    // Some resources have no properties.
    const found = Object.values(this.template.Resources).find(({ Properties }) => Properties?.FunctionName === name)
    if (!found) throw new Error(`the template has no function ${name}`)
    return found
  }

  /** Writes the template back. The CLI uploads what it doesn't know the name of, so it is named after its contents anew. */
  async write(): Promise<void> {
    const file = (name: string) => join(this.folder, name)
    const path = `${this.stackName}.template.json`
    const text = JSON.stringify(this.template)
    const [known] = Object.entries(this.#assets.files).find(([, { source }]) => source.path === path)!
    const hash = this.#rename(known, sha256(text))
    const manifest = await readFile(file('manifest.json'), 'utf8')
    await writeFile(file('manifest.json'), manifest.replaceAll(`${known}.json`, `${hash}.json`))
    await writeFile(file(path), text)
    await writeFile(file(`${this.stackName}.assets.json`), JSON.stringify(this.#assets))
  }

  #rename(from: string, to: string): string {
    if (from === to) return to
    const { [from]: asset, ...others } = this.#assets.files
    for (const destination of Object.values(asset!.destinations)) destination.objectKey = destination.objectKey.replace(from, to)
    this.#assets.files = { ...others, [to]: asset! }
    return to
  }

  async #useNativePartsOfThisMachine(): Promise<void> {
    for (const { source } of Object.values(this.#assets.files)) {
      const packages = join(this.folder, source.path, 'node_modules', '@img')
      if (!existsSync(packages)) continue
      for (const name of await readdir(packages)) if (name.startsWith('sharp-')) await rm(join(packages, name), { recursive: true })
      for (const name of await readdir('node_modules/@img')) {
        if (name.startsWith('sharp-')) await cp(join('node_modules/@img', name), join(packages, name), { recursive: true })
      }
    }
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
