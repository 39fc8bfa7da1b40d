import { embeddedEdgeCache } from '../../../shared/backends/edge-cache/embedded.ts'
import { edgeCacheContract } from './contract.ts'

edgeCacheContract('embedded', async () => ({ cache: embeddedEdgeCache(), async close() {} }))
