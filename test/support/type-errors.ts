import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const projectRoot = dirname(dirname(import.meta.dirname))

/**
 * Compiles modules that are not files of the project.
 * @param modules source by name; they import from `../../shared/…`
 * @returns the compiler's lines, each beginning with the module's name; '' without errors
 */
export async function typeErrors(modules: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(join(projectRoot, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(projectRoot, 'dist/types-'))
  try {
    await Promise.all(Object.entries(modules).map(([name, source]) => writeFile(join(folder, `${name}.ts`), source)))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }))
    const tsc = join(projectRoot, 'node_modules/.bin/tsc')
    return await promisify(execFile)(tsc, ['--noEmit', '-p', folder, '--pretty', 'false'], { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
