import { createHash } from 'node:crypto'
import { cp, glob, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandLine } from './stack-command.ts'

interface Template {
  // biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own properties, and some have none.
  Resources: Record<string, { Type: string; Properties?: Record<string, any> }>
}

/** A cloud assembly of the product: the files that `cdk synth` writes, and `cdk deploy` sends. */
export class Assembly {
  readonly folder: string
  readonly stackName: string

  /** The assembly that was synthesized into a folder. */
  constructor(folder: string, stackName: string) {
    this.folder = folder
    this.stackName = stackName
  }

  /**
   * Runs `npm run synth`.
   * @param folder where it goes; must not exist
   * @param context settings of cdk.json that differ from the defaults
   */
  static async synthesize(cdk: CommandLine, folder: string, context: Record<string, string> = {}): Promise<Assembly> {
    await cdk.synthesize(folder, context)
    return new Assembly(folder, context.stackName ?? 'media-library')
  }

  async template(): Promise<Template> {
    return JSON.parse(await this.#read('template'))
  }

  /** SHA-256 of every file, by its path. */
  async files(): Promise<Record<string, string>> {
    const hashes: Record<string, string> = {}
    for await (const entry of glob('**', { cwd: this.folder, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) hashes[path.slice(this.folder.length + 1)] = sha256(await readFile(path))
    }
    return hashes
  }

  /** Path of a function's package in the folder, and the hash that names it. @param key the function's name without the stack's */
  async packageOf(key: string): Promise<{ path: string; hash: string }> {
    const { Resources } = await this.template()
    const found = Object.values(Resources).find(({ Properties }) => Properties?.FunctionName === `${this.stackName}-${key}`)
    if (!found) throw new Error(`the template has no function ${key}`)
    const hash = found.Properties!.Code.S3Key.replace('.zip', '')
    return { path: (await this.#assets())[hash]!.source.path, hash }
  }

  /** Key of the template in the bucket of the CDK. */
  async templateKey(): Promise<string> {
    const path = `${this.stackName}.template.json`
    const { destinations } = Object.values(await this.#assets()).find(({ source }) => source.path === path)!
    return Object.values(destinations)[0]!.objectKey
  }

  /** A copy, to become another version of the product. @param folder where it goes; must not exist */
  async copy(folder: string): Promise<Assembly> {
    await cp(this.folder, folder, { recursive: true })
    return new Assembly(folder, this.stackName)
  }

  /** Changes the code of a function. @param key its name without the stack's */
  async changeFunction(key: string, change: (code: string) => string): Promise<void> {
    const { path, hash } = await this.packageOf(key)
    const file = join(this.folder, path, 'index.mjs')
    const code = change(await readFile(file, 'utf8'))
    await writeFile(file, code)
    const name = sha256(code)
    await rename(join(this.folder, path), join(this.folder, path.replace(hash, name)))
    await this.#rename(hash, name)
    await this.changeTemplate((text) => text.replaceAll(hash, name))
  }

  /** Changes the text of the template. */
  async changeTemplate(change: (text: string) => string): Promise<void> {
    const key = await this.templateKey()
    const text = change(await this.#read('template'))
    await writeFile(this.#file('template'), text)
    await this.#rename(key.replace('.json', ''), sha256(text))
  }

  /** The CLI uploads what it doesn't know the name of, so what is changed is named after its contents anew. */
  async #rename(from: string, to: string): Promise<void> {
    for (const file of [this.#file('assets'), join(this.folder, 'manifest.json')])
      await writeFile(file, (await readFile(file, 'utf8')).replaceAll(from, to))
  }

  async #assets() {
    const { files }: { files: Record<string, { source: { path: string }; destinations: Record<string, { objectKey: string }> }> } =
      JSON.parse(await this.#read('assets'))
    return files
  }

  #file(name: 'template' | 'assets'): string {
    return join(this.folder, `${this.stackName}.${name}.json`)
  }

  #read(name: 'template' | 'assets'): Promise<string> {
    return readFile(this.#file(name), 'utf8')
  }
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
