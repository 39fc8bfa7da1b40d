import { join } from 'node:path'
import { type Engine, EngineUnavailable, type RunningEngine } from './engine.ts'
import { startProcess } from './engine-process.ts'
import { freePort } from './free-port.ts'
import { javaProgram } from './java-program.ts'
import { jdkFrom } from './jdk.ts'

const launcher = 'OpenSearchLauncher'

/** Versions, the newest first, with the JDK that each needs, and the logging that its code takes for granted. */
const versions = [
  { version: '3.8.0', java: 21, log4j: '2.25.4' },
  { version: '2.19.3', java: 17, log4j: '2.21.0' },
]

/** The newest version that this machine can run. @throws EngineUnavailable */
async function runnable() {
  for (const each of versions) {
    const jdk = await jdkFrom(each.java)
    if (jdk !== undefined) return { ...each, jdk }
  }
  throw new EngineUnavailable('there is no JDK 17 or newer on this machine')
}

/** OpenSearch itself. OpenSearch Serverless is made of it, and has fewer operations. Its code is compiled in a hurry: tests are over soon. */
export const openSearch: Engine = {
  name: 'OpenSearch',
  version: versions[0]!.version,
  start: startOpenSearch,
}

/** @throws EngineUnavailable */
async function startOpenSearch(): Promise<RunningEngine> {
  const { version, log4j, jdk } = await runnable()
  const artifact = { group: 'org.opensearch', name: 'opensearch', version }
  const parts = [
    { group: 'org.opensearch.plugin', name: 'transport-netty4-client', version },
    { group: 'org.opensearch.plugin', name: 'analysis-common', version },
    { group: 'org.apache.logging.log4j', name: 'log4j-core', version: log4j },
  ]
  const program = await javaProgram(artifact, { launcher: join(import.meta.dirname, `${launcher}.java`), parts, jdk })
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const stop = await startProcess({
    name: openSearch.name,
    command: join(jdk, 'bin', 'java'),
    args: (folder) => [
      ...['-Xmx1g', '-XX:+UseSerialGC', '--enable-native-access=ALL-UNNAMED', '-XX:TieredStopAtLevel=1'],
      ...['-cp', program.classPath, launcher, String(port), folder],
    ],
    ready: address,
  })
  return { environment: { OPENSEARCH_URL: address }, stop }
}
