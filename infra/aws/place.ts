import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { parseKnownFiles } from '@smithy/core/config'
import { explainCredentials } from './credentials.ts'

/** Where a command works. */
export interface Place {
  /** Twelve digits. */
  account: string
  region: string
  /** Of the files of the AWS CLI; undefined where the credentials come from elsewhere. */
  profile: string | undefined
}

/**
 * Finds the account and the region of a command, and leads everything of this process and its children there, the SDK and the CDK alike: by
 * themselves they disagree about keys beside AWS_PROFILE, AWS_DEFAULT_PROFILE, AWS_DEFAULT_REGION, and what to do without a region.
 * A profile that is given comes first, then keys in the environment, then AWS_PROFILE, as with the AWS CLI.
 * @param given `--profile`
 * @throws Error in a sentence
 */
export async function findPlace(given?: string): Promise<Place> {
  const { env } = process
  const named = given || env.AWS_PROFILE || env.AWS_DEFAULT_PROFILE || undefined
  const hasKeys = Boolean(env.AWS_ACCESS_KEY_ID && env.AWS_SECRET_ACCESS_KEY)
  const profile = given || !hasKeys ? named : undefined
  const profiles = await parseKnownFiles({})
  if (profile !== undefined && !(profile in profiles))
    throw new Error(
      `There is no profile ${profile} in the files of the AWS CLI. \`aws configure list-profiles\` lists those that are there.`,
    )
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || profiles[named ?? 'default']?.region
  if (!region)
    throw new Error(
      'No region is named. Set AWS_REGION, as in AWS_REGION=eu-west-1, or give the profile one (`aws configure set region eu-west-1`).',
    )
  env.AWS_REGION = region
  for (const other of ['AWS_PROFILE', 'AWS_DEFAULT_PROFILE', ...(profile === undefined ? [] : KEYS)]) delete env[other]
  if (profile !== undefined) env.AWS_PROFILE = profile
  return { account: await accountOf(region, profile), region, profile }
}

const KEYS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']

async function accountOf(region: string, profile: string | undefined): Promise<string> {
  const client = new STSClient({ region, maxAttempts: 2 })
  try {
    return (await client.send(new GetCallerIdentityCommand({}))).Account!
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new Error(`AWS can't be reached in the region ${region}: ${message}. Is it the name of a region, and is there a network?`, {
        cause: error,
      })
    throw explainCredentials(error as Error, profile)
  } finally {
    client.destroy()
  }
}

/** `account 123456789012, region eu-west-1 (profile work)` */
export function describePlace({ account, region, profile }: Place): string {
  return `account ${account}, region ${region}${profile === undefined ? '' : ` (profile ${profile})`}`
}
