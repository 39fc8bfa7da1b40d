import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import type { Tool } from '../../../shared/tools/tool.ts'

/** npm packages that a tool is made of: native code and data files, which can't be bundled. */
const packages: Record<Tool, readonly string[]> = {
  // Lambda has no Perl. Where perl-package.ts could not be had, ExifTool runs in one that is compiled to WebAssembly.
  exiftool: ['exiftool-vendored.pl', '@6over3/zeroperl-ts'],
  renderer: ['sharp', '@imagemagick/magick-wasm'],
  profileImageMaker: ['sharp'],
  linkRenderer: ['sharp'],
  masterMaker: ['sharp', '@imagemagick/magick-wasm'],
  thumbHasher: ['sharp'],
  videoProbe: ['mediainfo.js'],
}

/** The page that names the licences of what lies beside bundles. */
const LICENCES = join(import.meta.dirname, '../../guides/licences.md')

/** The platform of the functions, as options of npm. */
const platform = ['--os=linux', '--cpu=arm64', '--libc=glibc']

interface LockedPackage {
  version?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** A package-lock.json: packages by their path. */
export interface Lock {
  packages: Record<string, LockedPackage>
}

/**
 * The part of a lock with some packages and all their dependencies, as a project of its own. Versions and checksums are those of the whole
 * project's lock.
 */
export function lockOf(names: readonly string[], lock: Lock) {
  const kept: Record<string, LockedPackage> = {}
  const visit = (name: string, from: string) => {
    const path = pathOf(name, from, lock)
    const locked = lock.packages[path]
    if (!locked || kept[path]) return
    kept[path] = locked
    for (const dependency of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })) visit(dependency, path)
  }
  const dependencies: Record<string, string> = {}
  for (const name of names) {
    const path = `node_modules/${name}`
    const version = lock.packages[path]?.version
    if (!version) throw new Error(`package-lock.json does not lock ${name}`)
    dependencies[name] = version
    visit(name, '')
    const { optional: _, ...required } = kept[path]!
    kept[path] = required
  }
  const manifest = { name: 'function-tools', version: '1.0.0', private: true, dependencies }
  return { manifest, lock: { name: manifest.name, version: manifest.version, lockfileVersion: 3, packages: { '': manifest, ...kept } } }
}

/** The path of a package that the one at another path asks for: in the nearest `node_modules`, as Node looks for it. */
function pathOf(name: string, from: string, { packages }: Lock): string {
  for (let above = from; above !== ''; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
    if (packages[`${above}/node_modules/${name}`]) return `${above}/node_modules/${name}`
  }
  return `node_modules/${name}`
}

/** The packages of all tools for the platform of the functions, in the user's cache. */
export class ToolPackages {
  readonly #project: ReturnType<typeof lockOf>
  /** Its name changes with every version in it. */
  readonly #folder: string

  constructor(lock: Lock) {
    this.#project = lockOf(Object.values(packages).flat(), lock)
    const hash = createHash('sha256').update(JSON.stringify(this.#project)).digest('hex').slice(0, 16)
    this.#folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'media-library', `function-tools-${hash}`)
  }

  static async of(projectRoot: string): Promise<ToolPackages> {
    return new ToolPackages(JSON.parse(await readFile(join(projectRoot, 'package-lock.json'), 'utf8')))
  }

  get fetched(): boolean {
    return existsSync(this.#folder)
  }

  /** Fetches the packages from npm unless they are there. The folder appears whole or not at all. */
  async fetch(): Promise<void> {
    if (this.fetched) return
    makeFolder(dirname(this.#folder))
    const partial = await mkdtemp(`${this.#folder}-`)
    try {
      await writeFile(join(partial, 'package.json'), JSON.stringify(this.#project.manifest))
      await writeFile(join(partial, 'package-lock.json'), JSON.stringify(this.#project.lock))
      await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...platform], { cwd: partial })
      await rename(partial, this.#folder)
    } finally {
      await rm(partial, { recursive: true, force: true })
    }
  }

  /** Puts the packages of some tools beside a bundle, with the page of their licences. They must have been fetched. */
  async copy(tools: readonly Tool[], bundleDirectory: string): Promise<void> {
    if (tools.length > 0) await cp(LICENCES, join(bundleDirectory, 'LICENCES.md'))
    const { lock } = lockOf(
      tools.flatMap((tool) => packages[tool]),
      this.#project.lock,
    )
    for (const path of Object.keys(lock.packages)) {
      const source = join(this.#folder, path)
      // Packages for other platforms are locked but were not installed.
      if (path !== '' && existsSync(source)) await cp(source, join(bundleDirectory, path), { recursive: true })
    }
  }
}
