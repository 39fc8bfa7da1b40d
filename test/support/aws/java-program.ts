import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { keptInCache } from './cache.ts'
import { installationStep } from './installation.ts'

/** An artifact of Maven's repository. */
export interface Artifact {
  group: string
  name: string
  version: string
}

/**
 * A Java program in the cache folder: an artifact with everything it needs, fetched at the first call, and a launcher of ours, compiled
 * against it.
 *
 * @param options.launcher path of the launcher's source, a class without a package
 * @param options.parts artifacts that the program needs without saying so
 * @param options.jdk folder of the JDK that runs it; that of the path by default
 * @returns the class path that it runs on, and the folder of native libraries
 * @throws EngineUnavailable without a JDK, Maven, or a way to its repository
 */
export async function javaProgram(
  program: Artifact,
  { launcher, parts = [], jdk }: { launcher?: string; parts?: readonly Artifact[]; jdk?: string | undefined } = {},
): Promise<{ classPath: string; libraries: string }> {
  const { name, version } = program
  const tool = (command: string) => (jdk === undefined ? command : join(jdk, 'bin', command))
  const digest = launcher
    ? `-${createHash('sha256')
        .update(await readFile(launcher))
        .digest('hex')
        .slice(0, 8)}`
    : ''
  const home = await keptInCache(`${name}-${version}${digest}`, async (folder) => {
    console.log(`installing ${name} ${version} (Java)`)
    await writeFile(join(folder, 'pom.xml'), projectWith([program, ...parts]))
    const copy = ['--quiet', '--batch-mode', 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`]
    await installationStep('mvn', copy, { cwd: folder })
    await rm(join(folder, 'pom.xml'))
    if (!launcher) return
    const source = join(folder, basename(launcher))
    await copyFile(launcher, source)
    await installationStep(tool('javac'), ['-version'])
    // Ours: where it doesn't compile, that is a failure, and no reason to do without the engine.
    await promisify(execFile)(tool('javac'), ['-cp', join(folder, '*'), '-d', folder, source])
  })
  // What was installed in the past needs a Java that is there now.
  await installationStep(tool('java'), ['-version'])
  return { classPath: `${home}:${join(home, '*')}`, libraries: home }
}

function projectWith(artifacts: readonly Artifact[]): string {
  const coordinates = (groupId: string, artifactId: string, of: string) =>
    `<groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${of}</version>`
  const dependencies = artifacts.map(({ group, name, version }) => `<dependency>${coordinates(group, name, version)}</dependency>`)
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
${coordinates('local', 'engine', '1')}<packaging>pom</packaging>
<dependencies>${dependencies.join('')}</dependencies></project>
`
}
