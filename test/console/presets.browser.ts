import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { signedIn } from './console-page.ts'
import { fill } from './library.ts'

describe('presets in the console', withBrowser, async () => {
  const { service, browser, client } = await serviceWithBrowser()
  const accounts = withBrowser.skip ? undefined : await provisioning(service)
  afterAll(() => accounts?.close())
  const { folder_id: folder, cdn_folder_id: cdn } = service.demo

  const names = async () => (await client['list-presets']({ query: {} })).body.presets.map(({ name, query }) => `${name}?${query}`)
  async function publish(id: number): Promise<void> {
    await client['copy-media']({ params: { id, folderId: cdn! } })
    const params = { company: service.demo.company_id, folder: cdn!, media: id }
    await expect.poll(async () => (await client['get-link']({ params })).body.state, { timeout: 20_000 }).toBe('active')
  }
  const list = (page: Page) => page.getByRole('list', { name: 'Presets' })
  const form = (page: Page, name = 'New preset') => page.getByRole('dialog', { name })
  /** Pixels of the picture that shows what a query makes. */
  const shownSize = (page: Page, name?: string) =>
    form(page, name)
      .getByRole('img')
      .evaluate((image) => `${(image as HTMLImageElement).naturalWidth} x ${(image as HTMLImageElement).naturalHeight}`)
  /** The size of a picture of a link, once it is asked for as an embed code does. */
  const sizeOf = async (address: string) => {
    const { width, height } = await sharp(Buffer.from(await (await fetch(address)).arrayBuffer())).metadata()
    return `${width} x ${height}`
  }

  test('are made by fields that build the query beside a live picture, changed and deleted', async () => {
    const [first = 0, second = 0] = await fill(client, folder, ['wide.jpg', 'tall.jpg'], { width: 800, height: 400 })
    for (const id of [first, second]) await publish(id)
    const { page, close } = await signedIn(browser, service)
    await page.getByRole('button', { name: 'Administration' }).click()
    await page.getByRole('link', { name: 'Presets' }).click()
    await page.getByRole('heading', { name: 'Presets' }).waitFor()
    await page.getByText('No presets yet.').waitFor()

    await page.getByRole('button', { name: 'New preset' }).click()
    const dialog = form(page)
    const query = dialog.getByRole('textbox', { name: 'Query' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('card')
    await dialog.getByRole('spinbutton', { name: 'Width' }).fill('300')
    await dialog.getByRole('combobox', { name: 'Fit' }).selectOption('cover')
    await dialog.getByText('Cover and Pad need width and height.').waitFor()
    await dialog.getByRole('spinbutton', { name: 'Height' }).fill('300')
    await dialog.getByRole('combobox', { name: 'Focus' }).selectOption('auto')
    await dialog.getByRole('combobox', { name: 'Format' }).selectOption('webp')
    await dialog.getByRole('checkbox', { name: 'Grayscale' }).check()
    assert.equal(await query.inputValue(), 'fit=cover&focus=auto&width=300&height=300&grayscale=1&output_format=webp')
    await dialog.getByText(/^300 × 300 pixels, .+, WEBP$/).waitFor()
    assert.equal(await shownSize(page), '300 x 300')

    // What is typed into the query stands in the fields, and what is wrong is told.
    await query.fill('aspect=16:9&width=160&fit=squeeze')
    assert.equal(await dialog.getByRole('combobox', { name: 'Aspect' }).inputValue(), '16:9')
    assert.equal(await dialog.getByRole('spinbutton', { name: 'Width' }).inputValue(), '160')
    await dialog.getByText('Wrong, and ignored: fit').waitFor()
    await query.fill('aspect=16:9&width=160&output_format=png')
    await dialog.getByText(/^160 × 90 pixels/).waitFor()

    // Another picture to look at.
    const choice = dialog.getByRole('combobox', { name: 'Picture' })
    await choice.fill('wide')
    await dialog.getByRole('option', { name: 'wide.jpg' }).click()
    assert.equal(await choice.inputValue(), 'wide.jpg')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const item = list(page).getByRole('listitem', { name: 'card' })
    await item.waitFor()
    assert.deepEqual(await names(), ['card?aspect=16:9&width=160&output_format=png'])

    await item.getByRole('button', { name: 'Edit' }).click()
    const edited = form(page, 'Edit preset')
    assert.equal(await edited.getByRole('textbox', { name: 'Name' }).inputValue(), 'card')
    await edited.getByRole('textbox', { name: 'Name' }).fill('banner')
    await edited.getByRole('combobox', { name: 'Aspect' }).selectOption('2:1')
    await edited.getByRole('button', { name: 'Save' }).click()
    await list(page).getByRole('listitem', { name: 'banner' }).waitFor()
    assert.deepEqual(await names(), ['banner?aspect=2:1&width=160&output_format=png'])

    await list(page).getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('dialog', { name: /^Delete the preset banner/ })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page.getByText('No presets yet.').waitFor()
    assert.deepEqual(await names(), [])
    await close()
  })

  test('that the service refuses say why, and stay as they were typed', async () => {
    const { id } = (await client['create-preset']({ body: { name: 'taken', query: 'width=100' } })).body
    const { page, close } = await signedIn(browser, service, { address: '/console/presets' })
    await page.getByRole('button', { name: 'New preset' }).click()
    const dialog = form(page)
    const refused = async (name: string, query: string) => {
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
      await dialog.getByRole('textbox', { name: 'Query' }).fill(query)
      await dialog.getByRole('button', { name: 'Save' }).click()
    }
    const alert = dialog.getByRole('alert')
    await refused('taken', 'width=100')
    await alert.filter({ hasText: 'There is a preset of this name already.' }).waitFor()
    await refused('Not so!', 'width=100')
    await alert.filter({ hasText: 'small letters, digits and hyphens' }).waitFor()
    await refused('fine', 'width=100&fit=squeeze')
    await alert.filter({ hasText: 'fit' }).waitFor()
    assert.equal(await dialog.getByRole('textbox', { name: 'Query' }).inputValue(), 'width=100&fit=squeeze')
    assert.deepEqual(await names(), ['taken?width=100'])
    await client['delete-preset']({ params: { id } })
    await close()
  })

  test('are for admins', async () => {
    const member = await accounts!.user()
    const { page, close } = await signedIn(browser, service, { address: '/console/presets', credentials: member })
    await page.getByText('This page is for admins.').waitFor()
    await close()
  })

  test('are chosen for each link: its address and its embed code name them, and pages show what they say', async () => {
    await client['create-preset']({ body: { name: 'card', query: 'width=200&height=200&fit=cover' } })
    const [id = 0] = await fill(client, folder, ['harbour.jpg'], { width: 900, height: 450 })
    await client['replace-metadata']({ params: { id }, body: { title: { en: 'The "harbour"', da: 'Havnen' } } })
    await publish(id)
    const note = (await uploadAndImport(client, folder, Buffer.from('a note'), 'a note.txt')).id
    await publish(note)
    const { page, context, close } = await signedIn(browser, service, { address: '/console/links' })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const links = page.getByRole('list', { name: 'Links' }).getByRole('listitem')
    const item = links.filter({ hasText: 'The "harbour"' })
    await item.getByText('Public').waitFor()
    const copied = async (button: string, link = item) => {
      await page.evaluate(() => navigator.clipboard.writeText(''))
      await link.getByRole('button', { name: button }).click()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('')
      return page.evaluate(() => navigator.clipboard.readText())
    }
    /** What an embed code says, as a browser reads it on a page of its own. */
    const elsewhere = await browser.newPage()
    const readCode = (code: string) =>
      elsewhere.evaluate((html) => {
        const image = new DOMParser().parseFromString(html, 'text/html').querySelector('img')!
        const set = image.srcset.split(', ').map((each) => each.split(' '))
        return { src: image.getAttribute('src') ?? '', alt: image.alt, width: image.width, height: image.height, set }
      }, code)

    const plain = await copied('Copy link')
    assert.equal(new URL(plain).search, '')
    const usual = await readCode(await copied('Copy embed code'))
    assert.deepEqual([usual.alt, usual.width, usual.height], ['The "harbour"', 800, 400])
    assert.deepEqual(
      usual.set.map(([, density]) => density),
      ['1x', '2x'],
    )
    assert.deepEqual(await Promise.all(usual.set.map(([address]) => sizeOf(address!))), ['800 x 400', '900 x 450'])

    await item.getByRole('combobox', { name: 'Preset' }).selectOption('card')
    assert.equal(await copied('Copy link'), `${plain}?preset=card`)
    await expect.poll(() => sizeOf(`${plain}?preset=card`), { timeout: 20_000 }).toBe('200 x 200')
    const code = await readCode(await copied('Copy embed code'))
    assert.deepEqual(code, {
      src: `${plain}?preset=card`,
      alt: 'The "harbour"',
      width: 200,
      height: 200,
      set: [
        [`${plain}?preset=card`, '1x'],
        [`${plain}?preset=card&dpr=2`, '2x'],
      ],
    })
    assert.deepEqual(await Promise.all(code.set.map(([address]) => sizeOf(address!))), ['200 x 200', '400 x 400'])

    const noted = links.filter({ hasText: 'a note.txt' })
    assert.match(await copied('Copy embed code', noted), /^<a href="[^"?]+\.txt">a note\.txt<\/a>$/)
    assert.equal(await noted.getByRole('combobox', { name: 'Preset' }).isDisabled(), true)
    assert.equal(await noted.getByRole('button', { name: 'Build address' }).count(), 0)

    // An address of its own, beside a live picture.
    await item.getByRole('button', { name: 'Build address' }).click()
    const dialog = form(page, 'Build address')
    await dialog.getByRole('spinbutton', { name: 'Width' }).fill('100')
    await dialog.getByRole('combobox', { name: 'Pixel density' }).selectOption('2')
    await dialog.getByText(/^200 × 100 pixels/).waitFor()
    await dialog.getByRole('button', { name: 'Copy address' }).click()
    await elsewhere.close()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${plain}?width=100&dpr=2`)
    await close()
  })
})
