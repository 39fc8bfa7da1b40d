import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { API_TYPES, writeApiTypes } from './api-types.ts'

/** Declarations of packages, which lie beside those of the client, so that the package depends on none. */
const packages = {
  'openapi-fetch': 'openapi-fetch/dist/index.d.mts',
  'openapi-typescript-helpers': 'openapi-typescript-helpers/dist/index.d.mts',
}

/** Writes the declarations of the client, and of what they need, into a folder. */
export async function writeDeclarations(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeApiTypes()
  const sources = ts.createProgram([join(import.meta.dirname, 'client.ts')], {
    ...{ target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    ...{ lib: ['lib.esnext.d.ts'], types: ['node'], strict: true, skipLibCheck: true },
    ...{ declaration: true, emitDeclarationOnly: true, allowImportingTsExtensions: true, stripInternal: true },
    ...{ rootDir: import.meta.dirname, outDir: folder },
  })
  // Of the service's sources the client has code and no types. Their declarations would lie beside them.
  sources.emit(undefined, (path, text) => {
    if (dirname(resolve(path)) === resolve(folder)) ts.sys.writeFile(path, text)
  })
  for (const [name, path] of Object.entries(packages)) {
    const text = await readFile(join(import.meta.dirname, '../../../node_modules', path), 'utf8')
    await writeFile(join(folder, `${name}.d.ts`), text)
  }
  for await (const path of glob('*.d.ts', { cwd: folder })) {
    const file = join(folder, path)
    await writeFile(file, withOwnImports(await readFile(file, 'utf8')))
  }
  await cp(API_TYPES, join(folder, 'api.d.ts'))
}

/** Lets declarations import those beside them. */
const withOwnImports = (text: string): string =>
  text.replace(/(from |import\()(['"])([^'"]+)\2/g, (whole, start: string, quote: string, module: string) =>
    module.startsWith('.') || module in packages ? `${start}${quote}./${basename(module).replace(/(\.d)?\.ts$/, '')}.js${quote}` : whole,
  )
