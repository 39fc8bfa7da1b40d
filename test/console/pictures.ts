/**
 * Makes the pictures of the console in the README and the guide: `npm run picture`. What they show is drawn, and uploaded to a service of its own.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import type { BrowserContextOptions } from 'playwright-core'
import sharp from 'sharp'
import { drawLandscape, type Landscape } from '../../infra/local/demo/landscape.ts'
import { provisioning } from '../support/accounts.ts'
import { openBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { type ConsolePage, openConsole, signedIn } from './console-page.ts'

const PICTURES = 42
const README = 'infra/clients/console/console.png'
const GUIDE = 'infra/guides/console'

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

const places = ['Harbour', 'Dunes', 'Blue ridge', 'Heath', 'Red rocks', 'Woods', 'Fjord']
const hours = ['at dawn', 'in the morning', 'at noon', 'before rain', 'at dusk', 'by night']
const titleOf = (index: number) => `${places[(index * 3) % places.length]} ${hours[(index * 5 + Math.floor(index / 6)) % hours.length]}`

/** A picture as a camera writes it. */
async function photograph(index: number): Promise<Buffer> {
  const exif = {
    IFD0: { Make: 'Okular', Model: 'Okular X2', Artist: index % 2 ? 'Mette Holm' : 'Jonas Krag' },
    IFD2: {
      DateTimeOriginal: `2026:09:${String(1 + (index % 28)).padStart(2, '0')} 1${index % 10}:20:00`,
      LensModel: 'Okular 35mm F2',
      FNumber: '56/10',
      ExposureTime: '1/250',
      ISOSpeedRatings: '200',
    },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '55/1 40/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '12/1 36/1 5/1' },
  }
  return sharp(Buffer.from(drawLandscape(landscape(index))))
    .jpeg()
    .withExif(exif)
    .toBuffer()
}

async function keep(file: string, picture: Buffer): Promise<void> {
  await writeFile(file, await sharp(picture).png({ palette: true, colours: 192, effort: 10 }).toBuffer())
}

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const service = await startService()
const accounts = await provisioning(service)
const browser = await openBrowser()

/** Opens a page of the console, does what leads to the picture, and keeps that. */
async function take(file: string, address: string, prepare: (opened: ConsolePage) => Promise<void>, options: BrowserContextOptions = {}) {
  const opened = await signedIn(browser, service, { viewport: { width: 1440, height: 900 }, address, ...options })
  await opened.page.waitForLoadState('networkidle')
  await prepare(opened)
  await opened.page.waitForTimeout(600)
  await keep(file, await opened.page.screenshot())
  await opened.close()
}

try {
  await mkdir(GUIDE, { recursive: true })
  const client = await service.client()
  const company = service.demo.company_id
  const folderOf = async (name: string, parent: number | null = null) => (await client['create-folder']({ body: { name, parent } })).body.id
  const campaigns = await folderOf('Campaigns')
  const [spring, autumn, winter] = [
    await folderOf('Spring 2026', campaigns),
    await folderOf('Autumn 2026', campaigns),
    await folderOf('Winter 2026', campaigns),
  ]
  const folders = [spring, autumn, winter, await folderOf('Landscapes'), await folderOf('Architecture')]
  const ids: number[] = []
  for (let index = 0; index < PICTURES; index++) {
    const { id } = await uploadAndImport(client, folders[index % folders.length]!, await photograph(index), `landscape-${index + 1}.jpg`)
    ids.push(id)
    const metadata = {
      title: { en: titleOf(index) },
      description: { en: `${titleOf(index)}, seen from the old pier.` },
      keywords: {
        en: ['landscape', places[(index * 3) % places.length]!.toLowerCase(), hours[index % hours.length]!.replace(/^\S+ /, '')],
      },
      editorial: index % 4 === 0,
      adult_content: false,
      byline: index % 2 ? 'Mette Holm' : 'Jonas Krag',
      copyright: '© 2026 Harbour Press',
    }
    await client['replace-metadata']({ params: { id }, body: metadata })
  }
  for (const [fullname, admin] of [
    ['Mette Holm', true],
    ['Jonas Krag', false],
    ['Sofie Lund', false],
    ['Karl Weber', false],
  ] as const)
    await client['create-company-user']({
      params: { id: company },
      body: { username: fullname.toLowerCase().replace(' ', '.'), fullname, admin },
    })
  await client['create-clique']({ body: { name: 'Picture desk', svc_id: company, thumbnail_id: null } })
  const { url: shared } = (
    await client['create-share']({ body: { folder_id: campaigns, message: 'Pictures of the year, free for the press.' } })
  ).body

  await take(README, '/console/', async ({ files, page }) => {
    await files.nth(4).click()
    await files.nth(6).click({ modifiers: ['Control'] })
    await page.mouse.move(0, 0)
  })
  const guide = (name: string) => `${GUIDE}/${name}.png`
  await take(guide('folder'), `/console/folder/${campaigns}`, async ({ page }) => {
    await page.getByRole('checkbox', { name: 'With subfolders' }).check()
  })
  await take(guide('details'), '/console/', async ({ files, page }) => {
    await files.nth(2).dblclick()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
  })
  await take(guide('list'), '/console/', async ({ page }) => {
    await page.getByRole('button', { name: 'List' }).click()
  })
  await take(guide('search'), '/console/', async ({ page }) => {
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('har')
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
  })
  await take(guide('filters'), '/console/?media_type=image', async () => undefined)
  await take(guide('people'), '/console/people', async ({ page }) => {
    await page.getByRole('table').waitFor()
  })
  await take(guide('dark'), `/console/folder/${spring}`, async () => undefined, { colorScheme: 'dark' })
  await take(
    guide('phone'),
    `/console/folder/${campaigns}`,
    async ({ page }) => {
      await page.getByRole('checkbox', { name: 'With subfolders' }).check()
    },
    phone,
  )
  await take(
    guide('phone-details'),
    '/console/',
    async ({ files, page }) => {
      await files.nth(3).tap()
      await page.getByRole('dialog', { name: 'Details' }).waitFor()
    },
    phone,
  )
  await client['change-brand']({ params: { id: company }, body: { name: 'Harbour Press', accent: '#0f766e' } as never })
  await take(guide('brand'), '/console/brand', async ({ page }) => {
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
  })
  const opened = await openConsole(browser, service, { viewport: { width: 1440, height: 900 } })
  await opened.page.goto(shared!)
  await opened.page.waitForLoadState('networkidle')
  await keep(guide('shared'), await opened.page.screenshot())
  await opened.close()
} finally {
  await browser.close()
  accounts.close()
  await service.stop()
}
