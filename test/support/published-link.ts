import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { openEmbeddedObjects } from '../../shared/backends/objects/embedded.ts'
import { type LinkManifest, writeManifest } from '../../shared/library/links/manifest.ts'
import { publicKeys } from '../../shared/library/links/public-keys.ts'
import { createLinkRenderer, type LinkRenderer } from '../../shared/tools/imaging/link-picture.ts'
import { KeptFiles } from '../../shared/tools/kept-files.ts'
import { toLinkId } from '../../shared/vocabulary/ids.ts'

/** A link that every test may publish something under. */
export const someLink = { alias: 'acme', linkId: toLinkId('0123456789abcdef0123456789abcdef') }

const unknown: LinkManifest = {
  revision: 1,
  file: 1,
  mime: 'image/png',
  kind: 'image',
  bytes: 1_000,
  width: 64,
  height: 48,
  extension: 'png',
  copyright: null,
  master: false,
  digitalSourceType: null,
  transparent: false,
  focalPoint: null,
  filename: 'harbour.png',
  title: {},
  description: {},
}

/** A public bucket of its own, with what renders from it; it is removed after the test. */
export async function openPublicFiles() {
  const directory = await mkdtemp(join(tmpdir(), 'public-files-'))
  const publicFiles = openEmbeddedObjects(directory, systemClock)
  onTestFinished(async () => {
    publicFiles.close()
    await rm(directory, { recursive: true })
  })
  const sources = new KeptFiles({ maxBytes: 1024 ** 3, parent: directory })
  const render = createLinkRenderer()
  const rendered: Parameters<LinkRenderer>[1][] = []
  const put = (key: string, bytes: Uint8Array, contentType: string) => publicFiles.put(key, bytes, { contentType })
  return {
    publicFiles,
    sources,
    /** What was rendered, in order. */
    rendered,
    linkRenderer: (async (path, wanted) => {
      rendered.push(wanted)
      return render(path, wanted)
    }) satisfies LinkRenderer,
    /** Stores what publication does of `someLink`; what isn't given is absent. */
    async publish(
      about: Partial<LinkManifest>,
      sources: { copy?: Buffer; original?: Buffer; master?: Buffer; smallMaster?: Buffer; pyramid?: Buffer } = {},
    ) {
      const { copy, original, master, smallMaster, pyramid } = sources
      const manifest = { ...unknown, ...about }
      const { linkId } = someLink
      if (copy) await put(publicKeys.copy(someLink), copy, manifest.mime)
      if (original) await put(publicKeys.original(linkId, manifest), original, manifest.mime)
      if (master) await put(publicKeys.master(linkId, manifest), master, 'image/jpeg')
      if (smallMaster) await put(publicKeys.smallMaster(linkId, manifest), smallMaster, 'image/jpeg')
      if (pyramid) await put(publicKeys.pyramid(linkId, manifest), pyramid, 'image/tiff')
      await put(publicKeys.manifest(someLink), writeManifest(manifest), 'application/json')
    },
  }
}
