import type { CreateJobCommandInput } from '@aws-sdk/client-mediaconvert'
import { JobError } from './mediaconvert.ts'
import { deniedTo } from './stack-rights.ts'

/** Has the emulator judge whether a job's role may read what the job reads, and write what it makes. @throws JobError */
export async function judgeRole({ Role = '', Settings }: CreateJobCommandInput, environment: NodeJS.ProcessEnv): Promise<void> {
  const arn = (address: string) => address.replace('s3://', 'arn:aws:s3:::')
  const { Inputs = [], OutputGroups = [] } = Settings!
  const written = OutputGroups.map(({ OutputGroupSettings: { CmafGroupSettings: cmaf, FileGroupSettings: file } = {} }) => (cmaf ?? file)!)
  const rights = [
    ...Inputs.map(({ FileInput }) => ['s3:GetObject', arn(FileInput!)] as const),
    ...written.map(({ Destination }) => ['s3:PutObject', `${arn(Destination!)}.any`] as const),
  ]
  const denied = await deniedTo(Role, rights, environment)
  if (denied.length > 0) throw new JobError(1432, `the role of the job may not ${denied.join(', ')}`)
}
