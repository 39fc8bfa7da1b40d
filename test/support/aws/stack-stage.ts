import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2'
import { sdkEnvironment, withoutAws } from './engine.ts'
import { freePort } from './free-port.ts'
import { startMediaConvert } from './mediaconvert.ts'
import { putOnBus } from './mediaconvert-events.ts'
import { transcodeByFfmpeg } from './mediaconvert-outputs.ts'
import { judgeRole } from './mediaconvert-role.ts'
import { startMinistack } from './ministack.ts'
import { startRekognition } from './rekognition.ts'
import { readForFunction } from './rekognition-reader.ts'
import { makeCertificate } from './stack-certificate.ts'
import { CommandLine } from './stack-command.ts'
import { openTunnel } from './stack-tunnel.ts'

/** An empty account on the emulator, in which stacks can be made and reached as in a real one. */
export interface Stage {
  cdk: CommandLine
  /** A temporary folder. */
  folder: string
  /** Environment variables that lead the AWS SDK to the emulator, and clients of a stack to it under the stack's own addresses. */
  environment: Record<string, string>
  /** Path of the record of what functions ask AWS for. */
  calls: string
  /** Makes what an account needs before a deployment: what the CDK keeps there, and a sender of e-mails that SES has verified. */
  prepare(): Promise<void>
  stop(): Promise<void>
}

export const ACCOUNT = '123456789012'
export const REGION = 'eu-west-1'

/** Of cdk.json. */
const SENDER = 'library@example.com'

/** @throws EngineUnavailable */
export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const calls = join(folder, 'sdk-calls.jsonl')
  const stops = [() => rm(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const end of stops.toReversed()) await end()
  }
  try {
    const tls = await makeCertificate(folder)
    const trust = { NODE_EXTRA_CA_CERTS: tls.certificate, AWS_CA_BUNDLE: tls.certificate, SSL_CERT_FILE: tls.certificate }
    const port = await freePort()
    const sdk = { ...sdkEnvironment(`https://127.0.0.1:${port}`, { id: ACCOUNT, secret: 'test' }), AWS_REGION: REGION }
    const mediaConvert = await transcoderOf({ ...trust, ...sdk })
    stops.push(mediaConvert.stop)
    const rekognition = await suggesterOf({ ...trust, ...sdk })
    stops.push(rekognition.stop)
    const emulator = await startMinistack({
      tls,
      port,
      environment: {
        ...trust,
        MINISTACK_HOST: 'localhost',
        MINISTACK_ACCOUNT_ID: ACCOUNT,
        MINISTACK_REGION: REGION,
        LAMBDA_EXECUTOR: 'local',
        // Functions run on the first Node in the path.
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        // They inherit these.
        SDK_CALLS: calls,
        AWS_ENDPOINT_URL_MEDIACONVERT: mediaConvert.url,
        AWS_ENDPOINT_URL_REKOGNITION: rekognition.url,
      },
    })
    stops.push(emulator.stop)
    const tunnel = await openTunnel(port)
    stops.push(tunnel.stop)
    const cdk = new CommandLine({ ...withoutAws(process.env), ...trust, ...sdk })
    return {
      cdk,
      folder,
      calls,
      environment: { ...trust, ...sdk, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: tunnel.url, NO_PROXY: 'localhost,127.0.0.1' },
      async prepare() {
        // From a folder without cdk.json, or the CLI would synthesize the stack first.
        const empty = join(folder, 'empty')
        await mkdir(empty)
        await cdk.run(['bootstrap', `aws://${ACCOUNT}/${REGION}`], empty)
        await verifySender(sdk)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** MediaConvert, which the emulator lacks. @param sdk environment that leads the AWS SDK to the emulator */
function transcoderOf(sdk: Record<string, string>) {
  return startMediaConvert({
    async transcode(job, signal) {
      await judgeRole(job, sdk)
      const client = new S3Client({ ...clientConfig(sdk), forcePathStyle: true })
      try {
        await transcodeByFfmpeg(client)(job, signal)
      } finally {
        client.destroy()
      }
    },
    tell: async (event) => void (await putOnBus(event, sdk)),
  })
}

/** Rekognition, which the emulator lacks as well. @param sdk environment that leads the AWS SDK to the emulator */
async function suggesterOf(sdk: Record<string, string>) {
  const s3 = new S3Client({ ...clientConfig(sdk), forcePathStyle: true })
  const suggester = await startRekognition((bucket, key) => readForFunction(s3, bucket, key, sdk))
  return {
    ...suggester,
    async stop() {
      await suggester.stop()
      s3.destroy()
    },
  }
}

function clientConfig({ AWS_ENDPOINT_URL = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' }: Record<string, string>) {
  return {
    endpoint: AWS_ENDPOINT_URL,
    region: REGION,
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
  }
}

async function verifySender(sdk: Record<string, string>) {
  const client = new SESv2Client(clientConfig(sdk))
  await client.send(new CreateEmailIdentityCommand({ EmailIdentity: SENDER }))
  client.destroy()
}
