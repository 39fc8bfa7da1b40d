import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Names, versions and licences of the packages that files are of. @param paths below the project's root */
export async function bundledLicences(root: string, paths: readonly string[]): Promise<string> {
  const folders = paths.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    if (folder === undefined) return []
    const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
    const files = await Array.fromAsync(glob('{LICENSE,LICENCE,license,licence}*', { cwd: join(root, folder) }))
    const text = files[0] === undefined ? '' : `\n${await readFile(join(root, folder, files[0]), 'utf8')}`
    return [`${name} ${version} (${license})\n${text}`]
  })
  return (await Promise.all(texts)).flat().join(`\n${'-'.repeat(80)}\n\n`)
}
