import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import type { Tool } from '../../../shared/tools/tool.ts'
import { type DebianPackage, downloaded, unpacked } from './debian-package.ts'

/*
 * Perl for the functions that run ExifTool, because Lambda has none. It is Debian's for arm64, with the C library that it was made for, so that
 * it doesn't depend on the version of Lambda's. Of its modules those go along that ExifTool uses.
 */

const packages: readonly DebianPackage[] = [
  {
    path: 'main/p/perl/perl-modules-5.40_5.40.1-6+deb13u1_all.deb',
    sha256: '4c46cdd8f3135aa1c95f07e817f8e5d9be590687441ac1c27e3a8c49400f35ce',
  },
  {
    path: 'main/p/perl/libperl5.40_5.40.1-6+deb13u1_arm64.deb',
    sha256: 'b3cf688efb6096b2f3d95e96ad5b216602146ad11f792c1f3b2f66b5556241d9',
  },
  {
    path: 'main/p/perl/perl-base_5.40.1-6+deb13u1_arm64.deb',
    sha256: '4cee6f6b5b4b501d82118c56aa31bbefc2491415bc03a00e21bdacff2406b288',
  },
  { path: 'main/g/glibc/libc6_2.41-12+deb13u4_arm64.deb', sha256: '8784eda966b189c777a384dac5ce009e8fc9b52d006926c5a013e7fa8aa688cc' },
  {
    path: 'main/libx/libxcrypt/libcrypt1_4.4.38-1_arm64.deb',
    sha256: 'b9aaa808aa3812b3de3e54eb5dfb16762c1779db032604abef2354c02fdc29b8',
  },
  {
    path: 'main/z/zlib/zlib1g_1.3.dfsg+really1.3.1-1+b1_arm64.deb',
    sha256: '209aa5cf671e97b9eb0410844fa6df4cae2e75b0c72e7802ab6c8ece13e6ddef',
  },
  { path: 'main/b/bzip2/libbz2-1.0_1.0.8-6_arm64.deb', sha256: '3537fe4fc577a60c8a9568873cd577db7ebc135eb8bb1825f18caf8972d9d2f2' },
]

const machine = 'usr/lib/aarch64-linux-gnu'
const LOADER = 'ld-linux-aarch64.so.1'
const libraries = ['libc.so.6', 'libm.so.6', 'libcrypt.so.1', 'libz.so.1', 'libbz2.so.1.0']
/** The folders of modules, the last one first: modules in several are the same. */
const moduleFolders = ['usr/share/perl/5.40.1', `${machine}/perl/5.40.1`, `${machine}/perl-base`]
/** What ExifTool needs beside what is in the base: compressed texts of PNG and PDF, digests, and times. */
const modules = [
  ...['Compress', 'Data', 'Digest', 'Encode', 'Encode.pm', 'File', 'IO', 'MIME', 'Storable.pm', 'Time'],
  ...['Compress', 'Data', 'Digest', 'Encode/Encode.so', 'File', 'IO', 'List', 'MIME', 'Storable', 'Time'].map((each) => `auto/${each}`),
]

/** Starts Perl by its own loader, from wherever it lies. */
const launcher = `#!/bin/sh
here=\${0%/*}
PERL5LIB="$here/modules" exec "$here/${LOADER}" --library-path "$here/lib" "$here/perl-binary" "$@"
`

/** Perl for the functions, in the user's cache. */
export class PerlPackage {
  /** Its name changes with every version in it. */
  readonly #folder: string

  constructor() {
    const contents = JSON.stringify([packages, moduleFolders, modules, launcher])
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 16)
    this.#folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'media-library', `function-perl-${hash}`)
  }

  get fetched(): boolean {
    return existsSync(this.#folder)
  }

  /** Fetches it unless it is there. The folder appears whole or not at all. @throws Error when a package can't be had */
  async fetch(): Promise<void> {
    if (this.fetched) return
    makeFolder(dirname(this.#folder))
    const [debian, partial] = [await mkdtemp(`${this.#folder}-`), await mkdtemp(`${this.#folder}-`)]
    try {
      for (const each of packages) await unpacked(await downloaded(each), debian)
      await assemble(debian, partial)
      await rename(partial, this.#folder)
    } finally {
      await Promise.all([debian, partial].map((folder) => rm(folder, { recursive: true, force: true })))
    }
  }

  /** Puts it beside the bundle of a function that runs ExifTool. It must have been fetched. */
  async copy(tools: readonly Tool[], bundleDirectory: string): Promise<void> {
    if (tools.includes('exiftool')) await cp(this.#folder, join(bundleDirectory, 'perl'), { recursive: true })
  }
}

/** Takes what is needed out of Debian's folders. */
async function assemble(debian: string, into: string): Promise<void> {
  const files: [string, string][] = [
    ['usr/bin/perl', 'perl-binary'],
    [`${machine}/${LOADER}`, LOADER],
    ...libraries.map((name): [string, string] => [`${machine}/${name}`, `lib/${name}`]),
    ...moduleFolders.slice(0, 2).flatMap((folder) => modules.map((name): [string, string] => [`${folder}/${name}`, `modules/${name}`])),
    [moduleFolders[2]!, 'modules'],
  ]
  for (const [from, to] of files) {
    // A module is in one of the folders, or in several.
    if (!existsSync(join(debian, from))) continue
    await mkdir(dirname(join(into, to)), { recursive: true })
    await cp(join(debian, from), join(into, to), { recursive: true, dereference: true })
  }
  await writeFile(join(into, 'perl'), launcher)
  for (const program of ['perl', 'perl-binary', LOADER]) await chmod(join(into, program), 0o755)
}
