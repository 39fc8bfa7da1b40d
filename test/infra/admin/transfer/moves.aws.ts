import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { openLibrary } from '../../../../infra/admin/library/library.ts'
import type { OpenLibrary } from '../../../../infra/homes/open-library.ts'
import type { ConsumedObjects, Objects } from '../../../../shared/backends/objects/port.ts'
import { s3Client } from '../../../../shared/backends/objects/s3.ts'
import { type CliqueRecord, cliqueKey } from '../../../../shared/library/accounts/clique.ts'
import { findUserByName, isAdminOf, listUsers } from '../../../../shared/library/accounts/users.ts'
import { cliquesOfCompany, makeClique } from '../../../../shared/library/cliques/cliques.ts'
import { beginMembership, membersOf } from '../../../../shared/library/cliques/members.ts'
import { setShare } from '../../../../shared/library/cliques/shares.ts'
import { ensureFolder } from '../../../../shared/library/folders/ensure-folder.ts'
import { setGrants } from '../../../../shared/library/folders/grants.ts'
import { importMedia } from '../../../../shared/library/imports/import-media.ts'
import type { Reading } from '../../../../shared/library/library.ts'
import { addAlias } from '../../../../shared/library/links/aliases.ts'
import { publishedUrls } from '../../../../shared/library/links/find-links.ts'
import { publishLink } from '../../../../shared/library/links/publish-link.ts'
import { mediaJson } from '../../../../shared/library/media/document.ts'
import { editMetadata } from '../../../../shared/library/media/edit.ts'
import { formerFiles } from '../../../../shared/library/media/files.ts'
import { getMany } from '../../../../shared/library/media/find.ts'
import { isAvailable } from '../../../../shared/library/media/media.ts'
import { objectKeys } from '../../../../shared/library/media/objects.ts'
import { placementOf, withMovedPointer, withPointer } from '../../../../shared/library/media/placement.ts'
import { changePointers, mediaIn } from '../../../../shared/library/media/pointers.ts'
import { takeFile } from '../../../../shared/library/transfer/take-file.ts'
import { contentsOf, type FolderRecord } from '../../../../shared/library/tree/folder.ts'
import { type Tree, trashOwner } from '../../../../shared/library/tree/tree.ts'
import { loadTree } from '../../../../shared/library/tree/tree-store.ts'
import { defaultSettings } from '../../../../shared/settings.ts'
import { digestOf } from '../../../../shared/tools/digest.ts'
import { createRenderer } from '../../../../shared/tools/imaging/render.ts'
import { createVideoProbe } from '../../../../shared/tools/video/probe.ts'
import { type CompanyId, type FolderId, type MediaId, toCompanyId } from '../../../../shared/vocabulary/ids.ts'
import { makeLibraryStack } from '../../../support/aws/library-stack.ts'
import { temporaryExifTool } from '../../../support/exiftool.ts'
import { by } from '../../../support/library.ts'
import { images } from '../../../support/pictures/index.ts'
import { replaceFile } from '../../../support/replacing.ts'
import { runJson } from '../run-command.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const PROGRAM = fileURLToPath(new URL('../../../../infra/admin/main.ts', import.meta.url))
const MANY = 30

/** Where a library is: a data folder, or a stack. */
interface Home {
  directory: string
  stack: string | undefined
  company: CompanyId
}

describe('a whole library that moves between homes', () => {
  const s3 = s3Client()
  const removals: (() => Promise<void>)[] = []
  let tools: Awaited<ReturnType<typeof temporaryExifTool>>
  let parent: string
  beforeAll(async () => {
    tools = await temporaryExifTool()
    parent = await mkdtemp(join(tmpdir(), 'moves-test-'))
  })
  afterAll(async () => {
    for (const remove of removals) await remove()
    s3.destroy()
    await rm(parent, { recursive: true, force: true })
  })

  const machine = (name: string) => withCompany({ directory: join(parent, name), stack: undefined })

  async function deployed(): Promise<Home> {
    const { name: stack, remove } = await makeLibraryStack()
    removals.push(remove)
    return withCompany({ directory: '/nonexistent', stack })
  }

  async function withCompany(home: Omit<Home, 'company'>): Promise<Home> {
    const { company_id: id } = await command(home, ['company', 'create', '--name', 'Acme'])
    return { ...home, company: toCompanyId(id) }
  }

  const argsOf = ({ stack }: Pick<Home, 'stack'>, args: readonly string[]) => [...args, ...(stack === undefined ? [] : ['--stack', stack])]
  const command = (home: Omit<Home, 'company'>, args: readonly string[]) => runJson(home.directory, argsOf(home, args))

  /** Runs a command, ends its process at its first line of progress, and runs it again to its end. */
  async function killed(home: Home, args: readonly string[]) {
    const all = argsOf(home, [...args, '--company', String(home.company)])
    const env = { ...process.env, DATA_DIR: home.directory }
    const child = spawn(process.execPath, [PROGRAM, ...all], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const exited = once(child, 'exit')
    await Promise.race([once(child.stderr, 'data'), exited])
    child.kill('SIGKILL')
    await exited
    return command(home, [...args, '--company', String(home.company)])
  }

  async function open<T>({ directory, stack }: Home, work: (library: OpenLibrary & { by: typeof by }) => Promise<T>): Promise<T> {
    const library = await openLibrary({ stack, environment: { DATA_DIR: directory } })
    try {
      return await work({ ...library, by })
    } finally {
      library.close()
    }
  }

  async function filesOf(library: Reading, tree: Tree) {
    const ids: MediaId[] = []
    for (const folder of shownIn(tree)) for await (const id of mediaIn(library, contentsOf(folder))) ids.push(id)
    return getMany(library, [...new Set(ids)])
  }

  const shownIn = (tree: Tree): FolderRecord[] => [...tree.all()].filter((folder) => trashOwner(tree, folder) === undefined)

  /** The library with what functions or workers of the home have. */
  const atWork = <T>(home: Home, work: (working: Parameters<typeof importMedia>[0] & Parameters<typeof publishLink>[0]) => Promise<T>) =>
    open(home, async (library) => {
      const uploads = (await library.openUploads()) as unknown as ConsumedObjects
      const [media, publicFiles] = [await library.openMedia(), await library.openPublicFiles()] as unknown as [Objects, Objects]
      const renderer = createRenderer(tools.exiftool)
      const working = {
        ...library,
        ...tools,
        renderer,
        videoProbe: createVideoProbe(),
        settings: defaultSettings,
        uploads,
        media,
        publicFiles,
      }
      return work(working)
    })

  /** What the functions or workers of the home do: imports, and publications of links. */
  const finish = (home: Home) =>
    atWork(home, async (working) => {
      const files = async () => filesOf(working, await loadTree(working, home.company))
      for (const { mediaId } of await files()) while (await importMedia(working, mediaId)) {}
      for (const { links = [] } of await files()) for (const { id, alias } of links) await publishLink(working, { linkId: id, alias })
    })

  /** All that users of the library see of it. The public gallery and trashcans are each company's own. */
  const shown = (home: Home) =>
    open(home, async (library) => {
      const { company: companyId } = home
      const tree = await loadTree(library, companyId)
      const folders = shownIn(tree)
      const nameOf = (id: FolderId | null) => (id !== null && tree.get(id)?.system === 'public' ? 'gallery' : id)
      const users = (await listUsers(library, companyId)).sort((one, other) => one.userId - other.userId)
      const files = (await filesOf(library, tree)).filter(isAvailable).sort((one, other) => one.mediaId - other.mediaId)
      const urls = await publishedUrls(
        { table: library.table, settings: { cdnUrl: '' } },
        files.map((media) => ({ media, tree })),
      )
      const objects = await library.openMedia()
      const cliques = await library.table.getMany<CliqueRecord>(
        (await Array.fromAsync(cliquesOfCompany(library, companyId))).map(({ cliqueId }) => cliqueKey(cliqueId)),
      )
      return {
        folders: folders
          .map(({ folderId, parent: above, name, tags, alias, created, grants }) => ({
            ...{ id: nameOf(folderId), above: nameOf(above), name, tags, alias, grants },
            ...(nameOf(folderId) !== 'gallery' && { created }),
          }))
          .sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1)),
        files: await Promise.all(
          files.map(async (media) => ({
            document: mediaJson(media, 0),
            version: media.version,
            in: [...placementOf(media)].map(([contents, kind]) => `${nameOf(tree.folderOfContents(contents)!.folderId)} ${kind}`).sort(),
            urls: (urls.get(media.mediaId) ?? []).sort(),
            former: await Promise.all(
              (await formerFiles(library, media.mediaId)).map(async (former) => {
                const { fileNumber, filename, fileCreated, fileBy, comment, pinned } = former
                const { stream } = await objects.get(objectKeys.original(former))
                const bytes = (await digestOf(stream)).md5
                return { fileNumber, filename, fileCreated, fileBy, comment, pinned, bytes }
              }),
            ),
            bytes: (await digestOf((await objects.get(objectKeys.original(media))).stream)).md5,
          })),
        ),
        users: users.map((user) => ({
          ...{ id: user.userId, username: user.username, fullname: user.fullname, email: user.email, disabled: user.disabled },
          ...{ admin: isAdminOf(user, companyId), cliques: user.cliques.toSorted() },
        })),
        cliques: await Promise.all(
          cliques.map(async ({ cliqueId, name, thumbnail, shares }) => {
            const members = (await Array.fromAsync(membersOf(library, cliqueId))).map(({ userId }) => userId)
            return { id: cliqueId, name, thumbnail, members: members.sort(), shares }
          }),
        ).then((list) => list.sort((one, other) => one.id - other.id)),
      }
    })

  /** A library with what people make in one. */
  async function fill(home: Home): Promise<void> {
    const company = String(home.company)
    const person = (username: string, ...more: string[]) => {
      const names = ['--username', username, '--fullname', `The ${username}`, '--password', 'a password']
      return command(home, ['user', 'create', '--company', company, ...names, ...more])
    }
    await person('anna', '--admin')
    await person('bo', '--admin', '--email', 'bo@example.com')
    await person('cy')
    await command(home, ['user', 'disable', '--username', 'bo'])
    const source = join(parent, 'source')
    const odd = '100% #1 😀 é'.normalize('NFD')
    await mkdir(join(source, odd), { recursive: true })
    await writeFile(join(source, odd, 'a.jpg'), await images['plain.jpg']())
    const metadata = { title: { en: 'Quay', da: 'Havn' }, keywords: { en: ['a; b', 'c'], da: ['båd'] }, editorial: true }
    const document = { created: '2001-02-03 04:05:06', metadata, byline: 'Anna', copyright: 'Acme', expiration_date: '2030-01-02' }
    await writeFile(join(source, odd, 'a.jpg.json'), JSON.stringify(document))
    await mkdir(join(source, 'Many'))
    for (let n = 0; n < MANY; n++) await writeFile(join(source, 'Many', `${n}.txt`), `text ${n}`)
    await command(home, ['import', source, '--company', company])
    await finish(home)
    const { replaced, uploadedBy } = await open(home, async (library) => {
      const { company: companyId } = home
      const cy = await findUserByName(library, 'cy')
      const folder = (name: string, more = {}) => ensureFolder(library, { companyId, name, parent: null, ...more })
      const [many, odd, empty] = [await folder('Many'), await folder('100% #1 😀 é'), await folder('Empty')]
      const twin = await folder('Many', { apart: new Set([many.folderId]) })
      const deep = await folder('Deep', { parent: twin.folderId })
      const press = await addAlias(library, companyId, 'press', { folderId: (await folder('Press')).folderId })
      const [picture] = await Array.fromAsync(mediaIn(library, contentsOf(odd)))
      const [first, second] = await Array.fromAsync(mediaIn(library, contentsOf(many)))
      await changePointers(library, picture!, (placement) => withPointer(placement, contentsOf(press), 'full'))
      await changePointers(library, first!, (placement) => withPointer(placement, contentsOf(deep), 'read-only'))
      await changePointers(library, first!, (placement) => withPointer(placement, contentsOf(press), 'read-only'))
      const trash = (await loadTree(library, companyId)).all().find(({ system }) => system === 'trash')!
      await changePointers(library, second!, (placement) => withMovedPointer(placement, contentsOf(many), contentsOf(trash)))
      for (const byline of ['Once', 'Twice']) await editMetadata(library, [picture!], () => ({ byline }))
      await editMetadata(library, [picture!], () => ({ title: {} }))
      const bytes = Buffer.from('of cy')
      await takeFile({ ...library, uploads: await library.openUploads() }, companyId, {
        ...{ filename: 'Cy’s.txt', bytes: bytes.length, open: async () => Readable.from([bytes]), folders: [twin], metadata: {} },
        ...{ md5: (await digestOf(Readable.from([bytes]))).md5, uploadedBy: cy!.userId },
      })
      const clique = await makeClique(library, { companyId, name: 'Editors', thumbnail: picture! })
      const same = await makeClique(library, { companyId, name: 'Editors', thumbnail: null })
      await beginMembership(library, clique.cliqueId, cy!.userId)
      await setShare(library, clique.cliqueId, odd.folderId, () => ['READ', 'UPLOAD'])
      await setShare(library, same.cliqueId, empty.folderId, () => ['READ'])
      await setGrants(library, deep.folderId, cy!.userId, () => ['READ', 'WRITE'])
      return { replaced: first!, uploadedBy: cy!.userId }
    })
    await finish(home)
    await atWork(home, async (working) => {
      const uploads = working.uploads as unknown as Objects
      for (const [text, comment] of [['second', 'Said'], ['third'], ['second']] as const) {
        const said = { filename: `${text}.txt`, uploadedBy, ...(comment !== undefined && { comment }) }
        await replaceFile({ ...working, uploads }, replaced, Buffer.from(text), said)
      }
    })
    await finish(home)
  }

  /** Exports a library and imports it elsewhere, each of which is killed once. @param given where the export is by then */
  async function move(from: Home, to: Home, name: string, given = async (folder: string) => folder) {
    const folder = join(parent, name)
    const { files } = await killed(from, ['export', folder, '--bag', '--versions'])
    const source = await given(folder)
    const { imported, existing, refused, mapping } = await killed(to, ['import', source, '--keep-ids'])
    assert.deepEqual([imported + existing, refused], [files, []])
    await finish(to)
    const again = await command(to, ['import', source, '--keep-ids', '--company', String(to.company)])
    assert.deepEqual([again.imported, again.existing, again.versions, again.refused], [0, files, 0, []])
    await rm(mapping)
    assert.deepEqual(await command(to, ['check']), { clean: true, problems: [] })
  }

  it('compares equal on a stack, on another machine, and on another stack, though each step is killed', { timeout: 420_000 }, async () => {
    const first = await machine('first')
    await fill(first)
    const before = await shown(first)
    assert.equal(before.files.length, MANY + 1)
    assert.equal(before.files.flatMap(({ urls }) => urls).length, 1)
    assert.ok(before.files.some(({ version }) => version === 4))
    assert.ok(before.files.some(({ former }) => former.length === 3))
    const onStack = await deployed()
    await move(first, onStack, 'to-stack')
    assert.deepEqual(await shown(onStack), before)
    const second = await machine('second')
    await move(onStack, second, 'to-machine')
    assert.deepEqual(await shown(second), before)
    const elsewhere = await deployed()
    await move(second, elsewhere, 'to-another-stack', asBucket)
    assert.deepEqual(await shown(elsewhere), before)
    // What an export says of people is no key to their accounts.
    const said = await readFile(join(parent, 'to-stack', 'rights.json'), 'utf8')
    assert.doesNotMatch(said, /password|hash|secret/i)
    for (const { username } of before.users)
      await open(onStack, async (library) => assert.equal((await findUserByName(library, username))!.passwordHash, undefined))
  })

  /** Puts an export into a bucket. */
  async function asBucket(folder: string): Promise<string> {
    const Bucket = `moved-${randomUUID()}`
    await s3.send(new CreateBucketCommand({ Bucket }))
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      await s3.send(new PutObjectCommand({ Bucket, Key: `acme/${relative(folder, path)}`, Body: await readFile(path) }))
    }
    return `s3://${Bucket}/acme`
  }
})
