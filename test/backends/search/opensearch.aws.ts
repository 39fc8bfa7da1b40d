import { it } from 'vitest'
import { searchContract } from './contract.ts'
import { openSearchOf } from './opensearch-library.ts'
import { compareWithOracle } from './oracle-property.ts'

searchContract('OpenSearch', openSearchOf)

it('OpenSearch finds what a look at every document finds, whatever the changes, their order and the query', () => {
  return compareWithOracle(openSearchOf, 60)
})
