import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { withoutAws } from './engine.ts'
import { ministackPython } from './ministack.ts'

/**
 * Asks AWS through botocore, which came with the emulator: it knows every service, where the SDK for Node has a package for each.
 * @param script Python that finds `session` (of botocore) and `asked`, and leaves its answer in `answer`
 * @param environment names the account to the AWS SDK
 */
export async function botocore(script: string, asked: unknown, environment: NodeJS.ProcessEnv): Promise<unknown> {
  const { HTTPS_PROXY: _, AWS_REGION, ...sdk } = environment
  const whole = `import json, sys, botocore.session, jmespath
session, asked = botocore.session.get_session(), json.load(sys.stdin)
${script}
print(json.dumps(answer))`
  const running = promisify(execFile)(await ministackPython(), ['-c', whole], {
    env: { ...withoutAws(process.env), ...sdk, AWS_DEFAULT_REGION: AWS_REGION },
    maxBuffer: 256 * 1024 ** 2,
  })
  running.child.stdin!.end(JSON.stringify(asked))
  return JSON.parse((await running).stdout)
}
