import { botocore } from './stack-botocore.ts'

/** What an account can hold of what a stack makes: service, operation, and where its answer lists them by which field. */
const listings = [
  ['apigateway', 'get_rest_apis', 'items[].id'],
  ['cloudfront', 'list_distributions', 'DistributionList.Items[].Id'],
  ['cloudfront', 'list_functions', 'FunctionList.Items[].Name'],
  ['cloudfront', 'list_key_groups', 'KeyGroupList.Items[].KeyGroup.Id'],
  ['cloudfront', 'list_origin_access_controls', 'OriginAccessControlList.Items[].Id'],
  ['cloudfront', 'list_public_keys', 'PublicKeyList.Items[].Id'],
  ['cloudformation', 'list_stacks', "StackSummaries[?StackStatus!='DELETE_COMPLETE'].StackName"],
  ['cloudwatch', 'describe_alarms', 'MetricAlarms[].AlarmName'],
  ['cloudwatch', 'list_dashboards', 'DashboardEntries[].DashboardName'],
  ['dynamodb', 'list_tables', 'TableNames[]'],
  ['events', 'list_rules', 'Rules[].Name'],
  ['iam', 'list_roles', 'Roles[].RoleName'],
  ['lambda', 'list_event_source_mappings', 'EventSourceMappings[].UUID'],
  ['lambda', 'list_functions', 'Functions[].FunctionName'],
  ['logs', 'describe_log_groups', 'logGroups[].logGroupName'],
  ['s3', 'list_buckets', 'Buckets[].Name'],
  ['scheduler', 'list_schedules', 'Schedules[].Name'],
  ['secretsmanager', 'list_secrets', 'SecretList[].Name'],
  ['sesv2', 'list_configuration_sets', 'ConfigurationSets[]'],
  ['sns', 'list_topics', 'Topics[].TopicArn'],
  ['sqs', 'list_queues', 'QueueUrls[]'],
  ['ssm', 'describe_parameters', 'Parameters[].Name'],
] as const

const script = `
answer = []
for service, operation, path in asked:
    client = session.create_client(service)
    pages = client.get_paginator(operation).paginate() if client.can_paginate(operation) else [getattr(client, operation)()]
    answer += [f'{service}: {name}' for page in pages for name in jmespath.search(path, page) or []]
answer.sort()`

/** Everything in the account, as `service: name`, in order. @param environment names the account to the AWS SDK */
export async function inventory(environment: NodeJS.ProcessEnv): Promise<string[]> {
  return (await botocore(script, listings, environment)) as string[]
}
