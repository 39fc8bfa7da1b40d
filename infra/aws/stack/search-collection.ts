import { CfnOutput, Lazy, Names, Stack } from 'aws-cdk-lib'
import { CfnAccessPolicy, CfnCollection, CfnCollectionGroup, CfnSecurityPolicy } from 'aws-cdk-lib/aws-opensearchserverless'
import { Construct } from 'constructs'
import { serviceAliases } from '../../../shared/backends/search/opensearch/alias-names.ts'
import type { SearchCollectionTarget } from '../grant.ts'

/** Longest name of a collection. It is unique to the account in a region. */
const LONGEST_NAME = 28

/** Capacity units that searches and indexing may take each; one has 6 GiB of memory. */
const MOST_UNITS = 8

/** The rights of a principal on indexes, and on the aliases of the collection. */
interface Rights {
  index: string[]
  collection: string[]
}

const rights = {
  read: { index: ['ReadDocument'], collection: [] },
  write: { index: ['WriteDocument'], collection: ['DescribeCollectionItems'] },
  admin: {
    index: ['CreateIndex', 'DeleteIndex', 'UpdateIndex', 'DescribeIndex', 'ReadDocument', 'WriteDocument'],
    collection: ['CreateCollectionItems', 'DeleteCollectionItems', 'UpdateCollectionItems', 'DescribeCollectionItems'],
  },
} satisfies Record<string, Rights>

/**
 * The search index where the engine is OpenSearch: a collection of OpenSearch Serverless that costs nothing but its storage while nobody searches
 * or changes files. The first request after ten idle minutes waits up to 30 s for capacity.
 */
export class SearchCollection extends Construct implements SearchCollectionTarget {
  readonly arn: string
  readonly endpoint: string
  readonly #name: string
  readonly #principals = { read: new Set<string>(), write: new Set<string>() }

  /** @param props.adminArn principal of the operator, who makes indexes */
  constructor(scope: Construct, id: string, { adminArn }: { adminArn: string }) {
    super(scope, id)
    this.#name = Names.uniqueResourceName(this, { maxLength: LONGEST_NAME, separator: '-' }).toLowerCase()
    const name = this.#name
    const group = new CfnCollectionGroup(this, 'Group', {
      name,
      generation: 'NEXTGEN',
      standbyReplicas: 'ENABLED',
      capacityLimits: {
        ...{ minIndexingCapacityInOcu: 0, minSearchCapacityInOcu: 0 },
        ...{ maxIndexingCapacityInOcu: MOST_UNITS, maxSearchCapacityInOcu: MOST_UNITS },
      },
    })
    const resource = { ResourceType: 'collection', Resource: [`collection/${name}`] }
    const encryption = this.#securityPolicy('Encryption', 'encryption', { Rules: [resource], AWSOwnedKey: true })
    // Functions run in no network of ours. Whoever is let in has signed the request.
    const network = this.#securityPolicy('Network', 'network', [{ Rules: [resource], AllowFromPublic: true }])
    const collection = new CfnCollection(this, 'Collection', {
      name,
      // The only type whose documents have ids of their own.
      type: 'SEARCH',
      standbyReplicas: 'ENABLED',
      collectionGroupName: group.name,
    })
    for (const first of [group, encryption, network]) collection.addResourceDependency(first)
    const access = () => [
      ...this.#rules('read', [...this.#principals.read]),
      ...this.#rules('write', [...this.#principals.write]),
      ...this.#rules('admin', [adminArn]),
    ]
    new CfnAccessPolicy(this, 'Access', {
      name,
      type: 'data',
      policy: Lazy.string({ produce: () => Stack.of(this).toJsonString(access()) }),
    })
    this.arn = collection.attrArn
    this.endpoint = collection.attrCollectionEndpoint
    // `npm run admin -- --stack` reads it (infra/aws/library/stack.ts).
    new CfnOutput(Stack.of(this), 'SearchEndpoint', { value: this.endpoint, description: 'Address of the search index' })
  }

  admit(roleArn: string, access: 'read' | 'write'): void {
    this.#principals[access].add(roleArn)
  }

  #securityPolicy(id: string, type: 'encryption' | 'network', policy: unknown): CfnSecurityPolicy {
    return new CfnSecurityPolicy(this, id, { name: this.#name, type, policy: Stack.of(this).toJsonString(policy) })
  }

  /** A statement of the policy for data: some principals with the same rights. */
  #rules(access: keyof typeof rights, Principal: string[]) {
    if (Principal.length === 0) return []
    const { index, collection } = rights[access]
    const rule = (ResourceType: string, resource: string, permissions: readonly string[]) =>
      permissions.length === 0
        ? []
        : [{ ResourceType, Resource: [resource], Permission: permissions.map((permission) => `aoss:${permission}`) }]
    const Rules = [
      ...rule('index', `index/${this.#name}/${serviceAliases.current}*`, index),
      ...rule('collection', `collection/${this.#name}`, collection),
    ]
    return [{ Description: access, Rules, Principal }]
  }
}
