import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, onTestFinished, test, vi } from 'vitest'
import { explainCredentials } from '../../../infra/aws/credentials.ts'
import { describePlace, findPlace } from '../../../infra/aws/place.ts'
import { type Answer, answering } from '../../support/answering.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const identity: Answer = (response) =>
  response.end(
    '<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
  )
const refusal: Answer = (response) =>
  response
    .writeHead(403)
    .end('<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>The token is invalid.</Message></Error></ErrorResponse>')

const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }

describe('account and region of a command', () => {
  /** The environment of a test, with two profiles, of which one has a region and a session of SSO that nobody began. */
  async function surroundings(variables: Record<string, string>, answer = identity) {
    const folder = temporaryDirectory()
    const config = join(folder, 'config')
    await writeFile(
      config,
      [
        '[profile work]\nregion = eu-north-1\naws_access_key_id = worker\naws_secret_access_key = secret',
        '[profile bare]\naws_access_key_id = bare\naws_secret_access_key = secret',
        '[profile sso]\nregion = eu-west-1\nsso_start_url = https://example.awsapps.com/start\nsso_region = eu-west-1\nsso_account_id = 123456789012\nsso_role_name = Admin',
      ].join('\n'),
    )
    const { endpoint, received } = await answering(answer)
    // The command sets some of them: all are as they were after the test.
    const own = ['AWS_REGION', 'AWS_PROFILE', 'AWS_DEFAULT_PROFILE', ...Object.keys(keys)]
    for (const name of [...own, ...Object.keys(process.env).filter((name) => name.startsWith('AWS_'))]) vi.stubEnv(name, undefined)
    const files = { AWS_CONFIG_FILE: config, AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'), HOME: folder }
    for (const [name, value] of Object.entries({ AWS_ENDPOINT_URL: endpoint, AWS_EC2_METADATA_DISABLED: 'true', ...files, ...variables }))
      vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    return () => received.map(({ authorization }) => /Credential=(\w+)/.exec(authorization)?.[1])
  }

  test('are those of the environment', async () => {
    await surroundings({ ...keys, AWS_DEFAULT_REGION: 'eu-west-1' })
    const place = await findPlace()
    assert.deepEqual(place, { account: '123456789012', region: 'eu-west-1', profile: undefined })
    assert.equal(describePlace(place), 'account 123456789012, region eu-west-1')
    assert.equal(process.env.AWS_REGION, 'eu-west-1', 'the CDK goes there, too')
  })

  test('are those of a profile: keys beside it count where the environment names it, and do not where the command does', async () => {
    const asked = await surroundings({ ...keys, AWS_PROFILE: 'work' })
    assert.deepEqual(await findPlace(), { account: '123456789012', region: 'eu-north-1', profile: undefined })
    assert.equal(process.env.AWS_PROFILE, undefined)
    const place = await findPlace('work')
    assert.equal(describePlace(place), 'account 123456789012, region eu-north-1 (profile work)')
    assert.deepEqual([process.env.AWS_PROFILE, process.env.AWS_ACCESS_KEY_ID], ['work', undefined])
    assert.deepEqual(asked(), ['key', 'worker'])
  })

  test('are refused in sentences where nothing names a region, or a profile is not there', async () => {
    await surroundings({ AWS_REGION: '', AWS_PROFILE: 'bare' })
    await assert.rejects(findPlace(), /^Error: No region is named\. Set AWS_REGION, as in AWS_REGION=eu-west-1/)
    await assert.rejects(findPlace('other'), /^Error: There is no profile other in the files of the AWS CLI/)
  })

  test('are refused in sentences where there are no credentials, or none that AWS takes', async () => {
    await surroundings({ AWS_REGION: 'eu-west-1' }, refusal)
    await assert.rejects(findPlace(), /There are no AWS credentials: set AWS_ACCESS_KEY_ID/)
    await assert.rejects(findPlace('sso'), /The profile sso gives no AWS credentials: .*aws sso login --profile sso/)
    await assert.rejects(findPlace('work'), /AWS does not take these credentials: The token is invalid\. Sign in again/)
  })

  test('are refused in sentences where a role may not be taken', () => {
    const denied = Object.assign(new Error('User a is not authorized to perform: sts:AssumeRole on resource b'), { name: 'AccessDenied' })
    assert.match(explainCredentials(denied, 'work').message, /^The role may not be taken: User a is not/)
    const other = new Error('socket hang up')
    assert.equal(explainCredentials(other), other)
  })

  test('are found in the same way by all commands', async () => {
    await surroundings(keys)
    const commands = ['aws/deploy/main.ts', 'aws/deploy/destroy.ts', 'aws/deploy/restore.ts --at 2026-05-17T08:00:00Z']
    const onStack = ['aws/smoke/main.ts --stack library', 'admin/main.ts company list --stack library']
    const ended = [...commands, ...onStack].map(async (command) => {
      const [program = '', ...args] = command.split(' ')
      const child = spawn(process.execPath, [join('infra', program), ...args])
      const [error, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
      return `${code} ${error}`
    })
    for (const said of await Promise.all(ended)) assert.match(said, /^1 No region is named\. Set AWS_REGION[^\n]*\n$/)
  })
})
