import { createHash } from 'node:crypto'
import { cp, glob, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endpointFunctionName } from '../../../infra/aws/stack/endpoint-share.ts'
import { wholeTemplate } from '../whole-template.ts'
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

  /** The template of the whole stack, that of its nested ones in it. */
  template(): Template {
    return wholeTemplate(this.folder, this.stackName)
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

  /** A function's name, the path of its package in the folder, and the hash that names that. @param key of the function */
  async packageOf(key: string): Promise<{ name: string; path: string; hash: string }> {
    const { Resources } = this.template()
    const names = new Set([`${this.stackName}-${key}`, endpointFunctionName(this.stackName, key)])
    const found = Object.values(Resources).find(({ Properties }) => names.has(Properties?.FunctionName))
    if (!found) throw new Error(`the template has no function ${key}`)
    const { FunctionName: name, Code } = found.Properties!
    const hash = Code.S3Key.replace('.zip', '')
    return { name, path: (await this.#assets())[hash]!.source.path, hash }
  }

  /** A copy, to become another version of the product. @param folder where it goes; must not exist */
  async copy(folder: string): Promise<Assembly> {
    await cp(this.folder, folder, { recursive: true })
    return new Assembly(folder, this.stackName)
  }

  /** Changes the code of a function. @param key of the function */
  async changeFunction(key: string, change: (code: string) => string): Promise<void> {
    const { path, hash } = await this.packageOf(key)
    const file = join(this.folder, path, 'index.mjs')
    const code = change(await readFile(file, 'utf8'))
    await writeFile(file, code)
    const name = sha256(code)
    await rename(join(this.folder, path), join(this.folder, path.replace(hash, name)))
    await this.#rename(hash, name)
    await this.changeTemplates((text) => text.replaceAll(hash, name))
  }

  /** Changes the text of the stack's template and of those of its nested stacks. */
  async changeTemplates(change: (text: string) => string): Promise<void> {
    const root = `${this.stackName}.template.json`
    const templates = Object.values(await this.#assets()).filter(({ source }) => source.path.endsWith('.template.json'))
    // The stack's own comes last: it names the others, so it changes with them.
    for (const { source, destinations } of templates.sort((a, b) => Number(a.source.path === root) - Number(b.source.path === root))) {
      const file = join(this.folder, source.path)
      const text = await readFile(file, 'utf8')
      const changed = change(text)
      if (changed === text && source.path !== root) continue
      await writeFile(file, changed)
      await this.#rename(Object.values(destinations)[0]!.objectKey.replace('.json', ''), sha256(changed))
    }
  }

  /** The CLI uploads what it doesn't know the name of, so what is changed is named after its contents anew. */
  async #rename(from: string, to: string): Promise<void> {
    for (const name of [`${this.stackName}.assets.json`, 'manifest.json', `${this.stackName}.template.json`]) {
      const file = join(this.folder, name)
      await writeFile(file, (await readFile(file, 'utf8')).replaceAll(from, to))
    }
  }

  async #assets() {
    const { files }: { files: Record<string, { source: { path: string }; destinations: Record<string, { objectKey: string }> }> } =
      JSON.parse(await readFile(join(this.folder, `${this.stackName}.assets.json`), 'utf8'))
    return files
  }
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
