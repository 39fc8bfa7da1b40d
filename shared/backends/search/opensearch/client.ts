import { defaultProvider } from '@aws-sdk/credential-provider-node'
import { Client } from '@opensearch-project/opensearch'
import { AwsSigv4Signer } from '@opensearch-project/opensearch/aws'

interface OpenSearchOptions {
  /** Address of a collection of OpenSearch Serverless. */
  endpoint: string
  region: string
}

/** A client of a collection. It signs requests with this process's credentials, and leaves retries to its callers. */
export function openSearchClient({ endpoint, region }: OpenSearchOptions): Client {
  const signer = AwsSigv4Signer({ region, service: 'aoss', getCredentials: defaultProvider() })
  return new Client({ ...signer, node: endpoint, maxRetries: 0 })
}
