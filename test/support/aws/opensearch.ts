import { join } from 'node:path'
import { type Engine, EngineUnavailable } from './engine.ts'
import { startProcess } from './engine-process.ts'
import { freePort } from './free-port.ts'
import { javaProgram } from './java-program.ts'
import { jdkFrom } from './jdk.ts'

const version = '3.8.0'
const launcher = 'OpenSearchLauncher'

/** Modules of its distribution, and the logging that its code takes for granted. */
const parts = [
  { group: 'org.opensearch.plugin', name: 'transport-netty4-client', version },
  { group: 'org.opensearch.plugin', name: 'analysis-common', version },
  { group: 'org.apache.logging.log4j', name: 'log4j-core', version: '2.25.4' },
]

/** OpenSearch itself. OpenSearch Serverless is made of it, and has fewer operations. */
export const openSearch: Engine = {
  name: 'OpenSearch',
  version,
  async start() {
    const jdk = await jdkFrom(21)
    if (jdk === undefined) throw new EngineUnavailable('there is no JDK 21 or newer on this machine')
    const artifact = { group: 'org.opensearch', name: 'opensearch', version }
    const program = await javaProgram(artifact, { launcher: join(import.meta.dirname, `${launcher}.java`), parts, jdk })
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const stop = await startProcess({
      name: this.name,
      command: join(jdk, 'bin', 'java'),
      args: (folder) => [
        ...['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '--enable-native-access=ALL-UNNAMED'],
        ...['-cp', program.classPath, launcher, String(port), folder],
      ],
      ready: address,
    })
    return { environment: { OPENSEARCH_URL: address }, stop }
  },
}
