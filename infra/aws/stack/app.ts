import { dirname } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { endpoints } from '../../../functions/endpoints.ts'
import { bundle } from '../bundling/bundle.ts'
import { packageConsole } from '../bundling/console-package.ts'
import { entriesOf } from '../bundling/entries.ts'
import { PerlPackage } from '../bundling/perl-package.ts'
import { makeReadable } from '../bundling/readable.ts'
import { ToolPackages } from '../bundling/tool-packages.ts'
import { changedSettings, readSettings } from './settings.ts'
import { MediaLibraryStack } from './stack.ts'
import { eventsOf } from './tables.ts'

const projectRoot = dirname(dirname(dirname(import.meta.dirname)))
const app = new App({ analyticsReporting: false })
const context = (key: string) => app.node.tryGetContext(key)
const settings = readSettings(context)
const tables = { endpoints, events: eventsOf(settings) }
const entries = entriesOf(tables, projectRoot, settings)
const bundles = await bundle(entries, projectRoot, `${projectRoot}/dist/functions`)

await packageConsole(bundles)

const toolPackages = await ToolPackages.of(projectRoot)
if (toolPackages.fetched) for (const { name, tools } of entries) await toolPackages.copy(tools, bundles.directory(name))
const perl = new PerlPackage()
if (perl.fetched) for (const { name, tools } of entries) await perl.copy(tools, bundles.directory(name))
for (const { name } of entries) await makeReadable(bundles.directory(name))
const lacking = toolPackages.fetched ? undefined : 'The packages lack the arm64 tools. `npm run deploy` fetches them, then deploys.'
if (lacking) console.error(`NOT FOR DEPLOYMENT: ${lacking} CloudFormation will refuse this template.`)

new MediaLibraryStack(app, {
  settings,
  // `deploy` lowers some settings to what the account allows. That is no wish of the operator.
  kept: context('kept') ? JSON.parse(context('kept')) : changedSettings(context),
  tables,
  code: (key) => Code.fromAsset(bundles.directory(key), { exclude: ['*.map'] }),
  lacking,
  deployment: app.node.tryGetContext('deployment'),
  isNew: app.node.tryGetContext('isNew') === 'true',
  sharedPolicies: JSON.parse(app.node.tryGetContext('sharedPolicies') ?? '{}'),
})
app.synth()
