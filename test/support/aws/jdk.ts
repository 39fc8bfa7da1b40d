import { execFile } from 'node:child_process'
import { existsSync, globSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * A JDK of at least this version: that of `JAVA_HOME`, of the path, or one where systems install them.
 * @returns its folder; undefined where there is none
 */
export async function jdkFrom(version: number): Promise<string | undefined> {
  const { JAVA_HOME, PATH = '' } = process.env
  const compilers = PATH.split(delimiter).map((folder) => join(folder, 'javac'))
  const onPath = compilers.filter((path) => existsSync(path)).map((path) => dirname(dirname(realpathSync(path))))
  const homes = [...(JAVA_HOME ? [JAVA_HOME] : []), ...onPath, ...globSync('/usr/lib/jvm/*').sort()]
  for (const home of homes) if ((await versionOf(home)) >= version) return home
  return undefined
}

/** Version of the JDK in a folder; 0 where there is none. */
async function versionOf(home: string): Promise<number> {
  // It tells `javac 25.0.1`.
  const told = await promisify(execFile)(join(home, 'bin', 'javac'), ['-version']).catch(() => undefined)
  return Number(/\d+/.exec(told?.stdout ?? '')?.[0] ?? 0)
}
