/**
 * Makes the picture of the console in the README: `npm run picture`. What it shows is drawn, and uploaded to a service of its own.
 */
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { drawLandscape, type Landscape } from '../../infra/local/demo/landscape.ts'
import { openBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { signedIn } from './console-page.ts'

const FILE = 'infra/console/console.png'
const PICTURES = 27

const shapes = [
  { width: 1200, height: 800 },
  { width: 1200, height: 675 },
  { width: 800, height: 1000 },
  { width: 1000, height: 1000 },
  { width: 1500, height: 650 },
] as const

const skies = [
  ['#2f80c8', '#d8eefb'],
  ['#35477d', '#f6b29b'],
  ['#5aa9c9', '#fdf3d8'],
  ['#1d1b4c', '#e76f51'],
  ['#0b1026', '#2b3a67'],
  ['#7fb7be', '#fbe3d6'],
] as const
/** Hue and saturation of the hills: woods, dunes, blue mountains, heath, red rocks. */
const hills = [
  [145, 28],
  [34, 52],
  [218, 34],
  [285, 24],
  [14, 44],
  [95, 26],
  [195, 34],
] as const

/** A landscape that looks like no other of the picture. */
function landscape(index: number): Landscape {
  const sky = skies[(index * 5 + Math.floor(index / 6)) % skies.length]!
  const [hue, saturation] = hills[(index * 3) % hills.length]!
  return {
    ...shapes[(index * 3 + Math.floor(index / 4)) % shapes.length]!,
    sky,
    sun: { colour: '#fff1cf', x: 0.2 + ((index * 29) % 60) / 100, y: 0.16 + ((index * 17) % 30) / 100 },
    hills: [0, 1, 2, 3].map((depth) => `hsl(${hue + depth * 5},${saturation}%,${70 - depth * 14}%)`),
  }
}

const service = await startService()
const browser = await openBrowser()
try {
  const client = await service.client()
  const folders: number[] = []
  for (const name of ['Campaigns', 'Landscapes', 'Portraits'])
    folders.push((await client['create-folder']({ body: { name, parent: null } })).body.id)
  for (let index = 0; index < PICTURES; index++) {
    const bytes = await sharp(Buffer.from(drawLandscape(landscape(index))))
      .jpeg()
      .toBuffer()
    await uploadAndImport(client, folders[index % folders.length]!, bytes, `landscape-${index + 1}.jpg`)
  }
  const opened = await signedIn(browser, service, { viewport: { width: 1440, height: 900 } })
  await opened.page.waitForLoadState('networkidle')
  await opened.files.nth(4).click()
  await opened.files.nth(6).click({ modifiers: ['Control'] })
  await opened.page.mouse.move(0, 0)
  const picture = await opened.page.screenshot()
  await writeFile(FILE, await sharp(picture).png({ palette: true, colours: 256, effort: 10 }).toBuffer())
  await opened.close()
} finally {
  await browser.close()
  await service.stop()
}
