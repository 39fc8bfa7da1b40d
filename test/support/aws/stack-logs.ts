import { botocore } from './stack-botocore.ts'

const script = `
logs = session.create_client('logs')
groups = [group['logGroupName'] for page in logs.get_paginator('describe_log_groups').paginate() for group in page['logGroups']]
pages = [page for group in groups if asked in group for page in logs.get_paginator('filter_log_events').paginate(logGroupName=group)]
answer = [event['message'] for page in pages for event in page['events']]`

/** Every line that the functions of a stack have logged. */
export async function linesOf(stack: string, environment: NodeJS.ProcessEnv = process.env): Promise<string[]> {
  return (await botocore(script, stack, environment)) as string[]
}
