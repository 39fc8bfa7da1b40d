import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { keptInCache } from '../support/aws/cache.ts'
import { EngineUnavailable } from '../support/aws/engine.ts'
import { installationStep } from '../support/aws/installation.ts'
import { madeOnce } from '../support/kept-files.ts'

const SIZE = { width: 2560, height: 1600 }

/** Photographs of two Debian packages, whose licences (CC BY-SA 4.0, GPL-2) let everybody use them. */
const photographs = {
  'lomiri-wallpapers-20.04': ['Fossa_by', 'Kleiber_by', 'Infinite-Sea_by', 'Painting-Colors_by'],
  'mate-backgrounds': ['Elephants_5640', 'Garden', 'LadyBird'],
} as const

/** What a picture of 2560 x 1600 shows. The drawn ones are what resizing is hardest for: fine lines, text, points, slow gradients. */
const drawings: Readonly<Record<string, string>> = {
  'white lines on black': `<rect width="100%" height="100%"/><g stroke="#fff" fill="none">${lines()}</g>`,
  'black branches on a sky': `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#7fb4e8"/><stop offset="1" stop-color="#fff"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#sky)"/><g stroke="#1a120b" fill="none" stroke-linecap="round">${branches(1280, 1600, -90, 380, 9)}</g>`,
  'text in two colours': `<rect width="50%" height="100%" fill="#fff"/><rect x="50%" width="50%" height="100%" fill="#101418"/>${text()}`,
  'stars on black': `<rect width="100%" height="100%" fill="#02030a"/>${stars()}`,
  gradients: `<defs><linearGradient id="a"><stop stop-color="#000"/><stop offset="1" stop-color="#2a3550"/></linearGradient>
    <radialGradient id="b"><stop stop-color="#ff3b1f"/><stop offset="1" stop-color="#0b6" /></radialGradient></defs>
    <rect width="100%" height="100%" fill="url(#a)"/><circle cx="1280" cy="800" r="640" fill="url(#b)"/>`,
}

export interface ResizedPicture {
  kind: 'drawings' | 'photographs'
  /** A PNG, which no decoder makes smaller while it reads. */
  path: string
}

/** Photographs are missing where there is no Debian. */
export async function resizedPictures(): Promise<ResizedPicture[]> {
  const drawn = Object.entries(drawings).map(async ([name, content]) => {
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size()}>${content}</svg>`)
    const draw = (into: string) => sharp(svg).removeAlpha().png().toFile(into)
    return { kind: 'drawings' as const, path: await madeOnce(`resized-${name.replaceAll(' ', '-')}.png`, draw) }
  })
  const taken = await photos().catch((error: Error) => {
    if (!(error instanceof EngineUnavailable)) throw error
    console.log(`no photographs: ${error.message}`)
    return []
  })
  return [...(await Promise.all(drawn)), ...taken.map((path) => ({ kind: 'photographs' as const, path }))]
}

async function photos(): Promise<string[]> {
  const made: string[] = []
  for (const [name, titles] of Object.entries(photographs)) {
    const folder = await keptInCache(`debian-${name}`, async (into) => {
      await installationStep('apt-get', ['download', name], { cwd: into })
      const [archive = ''] = await readdir(into)
      await installationStep('dpkg-deb', ['-x', join(into, archive), into])
    })
    const files = await readdir(folder, { recursive: true })
    for (const title of titles) {
      const file = files.find((each) => each.split('/').at(-1)!.startsWith(title) && each.endsWith('.jpg'))
      if (file === undefined) throw new EngineUnavailable(`${name} has no ${title}`)
      made.push(await madeOnce(`resized-${title}.png`, (into) => middleOf(join(folder, file), into)))
    }
  }
  return made
}

/** The middle of a photograph, as large as the drawings, in its own pixels. */
async function middleOf(photo: string, into: string): Promise<void> {
  const { width, height } = await sharp(photo).metadata()
  const left = Math.floor((width - SIZE.width) / 2)
  const top = Math.floor((height - SIZE.height) / 2)
  await sharp(photo)
    .extract({ left, top, ...SIZE })
    .toColourspace('srgb')
    .png({ compressionLevel: 1 })
    .toFile(into)
}

function size(): string {
  return `width="${SIZE.width}" height="${SIZE.height}" viewBox="0 0 ${SIZE.width} ${SIZE.height}"`
}

function lines(): string {
  const drawn = Array.from({ length: 64 }, (_, n) => `<path d="M0 ${n * 25} L2560 ${1600 - n * 25}" stroke-width="${1 + (n % 3)}"/>`)
  const rings = Array.from({ length: 40 }, (_, n) => `<circle cx="1280" cy="800" r="${20 + n * 19}" stroke-width="1"/>`)
  return drawn.join('') + rings.join('')
}

function branches(x: number, y: number, angle: number, length: number, depth: number): string {
  if (depth === 0) return ''
  const radians = (angle * Math.PI) / 180
  const [toX, toY] = [x + length * Math.cos(radians), y + length * Math.sin(radians)]
  const own = `<path d="M${x.toFixed(1)} ${y.toFixed(1)}L${toX.toFixed(1)} ${toY.toFixed(1)}" stroke-width="${depth * depth * 0.4 + 1}"/>`
  const shorter = length * 0.76
  return own + branches(toX, toY, angle - 24, shorter, depth - 1) + branches(toX, toY, angle + 31, shorter, depth - 1)
}

function text(): string {
  const words = 'Quality is never an accident; it is always the result of intelligent effort. 0123456789'
  const column = (x: number, colour: string) =>
    Array.from({ length: 44 }, (_, n) => {
      const height = 12 + (n % 11) * 3
      return `<text x="${x}" y="${40 + n * 36}" font-size="${height}" fill="${colour}" font-family="sans-serif">${words}</text>`
    }).join('')
  return `<svg width="1280" height="1600">${column(20, '#111')}</svg><svg x="1280" width="1280" height="1600">${column(20, '#eee')}</svg>`
}

function stars(): string {
  const star = (n: number) => {
    const [x, y] = [(n * 7_919) % 2560, (n * 104_729) % 1600]
    return `<circle cx="${x}" cy="${y}" r="${0.5 + (n % 5) * 0.3}" fill="${['#fff', '#cfe0ff', '#ffe8c9'][n % 3]}"/>`
  }
  return Array.from({ length: 3_000 }, (_, n) => star(n)).join('')
}
