import { defaultProvider } from '@aws-sdk/credential-provider-node'
import { Client } from '@opensearch-project/opensearch'
import { AwsSigv4Signer } from '@opensearch-project/opensearch/aws'

interface OpenSearchOptions {
  /** Address of a collection of OpenSearch Serverless. */
  endpoint: string
  region: string
}

/** A client of a collection. Its requests are signed with this process's credentials. It repeats nothing: callers know for how long it pays. */
export function openSearchClient({ endpoint, region }: OpenSearchOptions): Client {
  const signer = AwsSigv4Signer({ region, service: 'aoss', getCredentials: defaultProvider() })
  return new Client({ ...signer, node: endpoint, maxRetries: 0 })
}
