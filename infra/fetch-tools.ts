import { dirname } from 'node:path'
import { ToolPackages } from './tool-packages.ts'

/** First step of `npm run deploy`: the only one that needs a package registry. */
const toolPackages = await ToolPackages.of(dirname(import.meta.dirname))
if (!toolPackages.fetched) console.error('fetching the arm64 tools of functions …')
await toolPackages.fetch()
