import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keptInCache } from '../support/aws/cache.ts'
import { installationStep } from '../support/aws/installation.ts'

/** Versions that a machine has. */
export interface Machine {
  node: string
  npm: string
  /** Of `npm ci`. */
  flags?: readonly string[]
}

/** Where the system's own tools are. */
const SYSTEM = '/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin'

/** Variables that lead to the package registry. What npm and Vitest set for their scripts would lead the other npm, and the server. */
const KEPT = /^(HOME|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|NPM_CONFIG_\w+|(HTTPS?|NO)_PROXY|(https?|no)_proxy)$/

/**
 * The environment of a machine that has these versions of Node and npm, and nothing of this run's. They are kept in the cache folder.
 * @throws EngineUnavailable without a way to the package registry
 */
export async function environmentOf({ node, npm }: Machine): Promise<Record<string, string>> {
  const home = await keptInCache(`node-${node}-npm-${npm}`, async (folder) => {
    const packages = [`node-linux-${process.arch}@${node}`, `npm@${npm}`]
    await installationStep('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', ...packages])
    const bin = join(folder, 'bin')
    await mkdir(bin)
    await symlink(`../node_modules/node-linux-${process.arch}/bin/node`, join(bin, 'node'))
    for (const name of ['npm', 'npx']) {
      const script = `#!/bin/sh\nexec node "$(dirname "$0")/../node_modules/npm/bin/${name}-cli.js" "$@"\n`
      await writeFile(join(bin, name), script)
      await chmod(join(bin, name), 0o755)
    }
  })
  const kept = Object.entries(process.env).filter(([name]) => KEPT.test(name))
  return { ...Object.fromEntries(kept), PATH: `${join(home, 'bin')}:${SYSTEM}` } as Record<string, string>
}
