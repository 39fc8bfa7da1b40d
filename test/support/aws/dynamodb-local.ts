import { join } from 'node:path'
import { type Engine, sdkEnvironment } from './engine.ts'
import { startProcess } from './engine-process.ts'
import { freePort } from './free-port.ts'
import { javaProgram } from './java-program.ts'

const artifact = { group: 'com.amazonaws', name: 'DynamoDBLocal', version: '2.6.1' }
const launcher = 'DynamoDbLocalLauncher'

/** Amazon's own emulator of DynamoDB: the reference for the table. */
export const dynamoDbLocal: Engine = {
  name: 'DynamoDB Local',
  version: artifact.version,
  async start() {
    const program = await javaProgram(artifact, { launcher: join(import.meta.dirname, `${launcher}.java`) })
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const memory = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']
    const stop = await startProcess({
      name: this.name,
      command: 'java',
      args: () => [
        ...memory,
        `-Djava.library.path=${program.libraries}`,
        ...['-cp', program.classPath, launcher],
        ...['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
      ],
      ready: address,
    })
    return { environment: sdkEnvironment(address, { id: 'test', secret: 'test' }), stop }
  },
}
