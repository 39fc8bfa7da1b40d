import { type Engine, sdkEnvironment } from './engine.ts'
import { startProcess } from './engine-process.ts'
import { freePort } from './free-port.ts'
import { javaProgram } from './java-program.ts'

const artifact = { group: 'org.elasticmq', name: 'elasticmq-server_2.13', version: '1.7.1' }

/** Queues with SQS's limits enforced: the reference for the queue. */
export const elasticMq: Engine = {
  name: 'ElasticMQ',
  version: artifact.version,
  async start() {
    const { classPath } = await javaProgram(artifact)
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const settings = {
      'rest-sqs.bind-hostname': '127.0.0.1',
      'rest-sqs.bind-port': String(port),
      'rest-sqs.sqs-limits': 'strict',
      'rest-stats.enabled': 'false',
      'node-address.host': '127.0.0.1',
      'node-address.port': String(port),
    }
    const stop = await startProcess({
      name: this.name,
      command: 'java',
      args: () => [
        ...['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
        ...Object.entries(settings).map(([name, value]) => `-D${name}=${value}`),
        ...['-cp', classPath, 'org.elasticmq.server.Main'],
      ],
      ready: address,
    })
    return { environment: sdkEnvironment(address, { id: 'test', secret: 'test' }), stop }
  },
}
