import { type Clock, systemClock } from '../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import type { EmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import type { OpenLibrary } from '../../homes/open-library.ts'
import { explainFailure } from '../../local/data-folder/failure.ts'
import { hasLibrary, stateFormat } from '../../local/data-folder/format.ts'
import { prepareDataFolder, requireLibrary } from '../../local/data-folder/prepare.ts'
import { dataDirectory, readSettings } from '../../local/settings.ts'

/**
 * Opens the local library, or that of a deployed stack. Loads only that one's adapters, so that a command starts at once.
 * @param options.makesLibrary whether to create a missing local library
 * @throws Error in a sentence
 */
export async function openLibrary({
  stack,
  profile,
  environment,
  clock = systemClock,
  makesLibrary = false,
}: {
  stack: string | undefined
  /** Of the AWS CLI, for a stack. */
  profile?: string | undefined
  environment: NodeJS.ProcessEnv
  clock?: Clock | undefined
  makesLibrary?: boolean
}): Promise<OpenLibrary> {
  if (stack === undefined) return openLocal(environment, clock, makesLibrary)
  const [{ findPlace }, { openStack }] = await Promise.all([import('../../aws/place.ts'), import('../../aws/library/stack.ts')])
  await findPlace(profile)
  return openStack(stack)
}

async function openLocal(environment: NodeJS.ProcessEnv, clock: Clock, makesLibrary: boolean): Promise<OpenLibrary> {
  const directory = dataDirectory(environment.DATA_DIR)
  try {
    const isNew = makesLibrary && !hasLibrary(directory)
    if (isNew) {
      prepareDataFolder(directory)
      await stateFormat(directory)
    } else requireLibrary(directory)
    return { ...(await openFolder(directory, environment, clock)), ...(isNew && { madeIn: directory }) }
  } catch (error) {
    throw explainFailure(error, directory)
  }
}

async function openFolder(directory: string, environment: NodeJS.ProcessEnv, clock: Clock): Promise<OpenLibrary> {
  const [{ openEmbeddedTable }, { openEmbeddedSecrets }] = await Promise.all([
    import('../../../shared/backends/table/embedded.ts'),
    import('../../../shared/backends/secrets/embedded.ts'),
  ])
  const paths = embeddedLayout(directory)
  const table = openEmbeddedTable(paths.table)
  const buckets: EmbeddedObjects[] = []
  const openBucket = async (path: string) => {
    const { openEmbeddedObjects } = await import('../../../shared/backends/objects/embedded.ts')
    const bucket = openEmbeddedObjects(path)
    buckets.push(bucket)
    return bucket
  }
  return {
    table,
    scanner: table,
    openUploads: () => openBucket(paths.uploads),
    openMedia: () => openBucket(paths.media),
    openPublicFiles: () => openBucket(paths.public),
    async openMail() {
      const { mailSender, mailUrl } = readSettings(environment)
      const { openMail } = await import('../../local/backend/open-mail.ts')
      const mail = await openMail({ mailSender, mailUrl, folder: paths.mail, clock })
      return { mail, name: mailUrl === undefined ? `the folder ${paths.mail}` : `the mail server ${new URL(mailUrl).host}` }
    },
    async openCompanyRemoval() {
      const [{ embeddedTranscoder }, { embeddedEdgeCache }, { removeRemains }] = await Promise.all([
        import('../../local/backend/embedded-transcoder.ts'),
        import('../../../shared/backends/edge-cache/embedded.ts'),
        import('./company-remains.ts'),
      ])
      const [uploads, media, publicFiles] = await Promise.all([paths.uploads, paths.media, paths.public].map(openBucket))
      return {
        ...{ uploads: uploads!, media: media!, publicFiles: publicFiles! },
        ...{ transcoder: embeddedTranscoder({ table, clock }), edgeCache: embeddedEdgeCache() },
        removeRemains: (removed) => removeRemains(paths, removed),
      }
    },
    // A service of the operator's may come later.
    lackOfKeywords: async () => undefined,
    async openSearchIndex() {
      throw new Error(
        `Each search brings the indexes in ${paths.search} up to date. Stop the server and remove that folder to rebuild them.`,
      )
    },
    async openFailedRuns() {
      throw new Error('One machine tries again what failed, by jobs, every hour ("jobs list" shows them). Name a stack: --stack <name>.')
    },
    async openSignOn() {
      const settings = readSettings(environment)
      const [{ openIdClient }, { serverAddress }] = await Promise.all([
        import('../../../shared/backends/openid/client.ts'),
        import('./server-address.ts'),
      ])
      const openId = openIdClient({ clock, ...settings.openId })
      return { openId, http: settings.openId.http, ...serverAddress(directory, environment) }
    },
    apiSecretsKey: openEmbeddedSecrets(paths.secrets),
    async rotateKey(kind, surroundings) {
      const { rotateLocalKey } = await import('./local-keys.ts')
      await rotateLocalKey(kind, { secretsFile: paths.secrets, table }, surroundings)
    },
    clock,
    explain: (error) => explainFailure(error, directory),
    close() {
      for (const bucket of buckets) bucket.close()
      table.close()
    },
  }
}
