import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { type ConsolePage, signedIn } from './console-page.ts'
import { fill } from './library.ts'

describe('the focal point of a picture in the console', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  const accounts = withBrowser.skip ? undefined : await provisioning(service)
  afterAll(() => accounts?.close())

  let folder: number
  /** As the list shows them: newest first. */
  let ids: number[]
  beforeEach(async ({ task }) => {
    folder = await newFolder(`Film ${task.id}`)
    ids = (await fill(client, folder, ['one.jpg', 'two.jpg'], { width: 400, height: 200 })).reverse()
  })

  const saved = async (id: number) => (await client['get-media']({ params: { id } })).body.focal_point
  const version = async (id: number) => (await client['get-version']({ params: { id } })).body.version
  const details = (page: Page) => page.getByRole('dialog', { name: 'Details' })
  const slider = (page: Page, name: string) => details(page).getByRole('slider', { name })
  const cut = (page: Page, shape: string) =>
    details(page)
      .getByRole('region', { name: 'Cuts' })
      .getByRole('img', { name: new RegExp(`${shape}$`) })
  const positionOf = (page: Page, shape: string) => cut(page, shape).evaluate((image) => getComputedStyle(image).objectPosition)
  const saveButton = (page: Page) => details(page).getByRole('button', { name: 'Save focal point' })

  async function opened(options: Parameters<typeof signedIn>[2] = {}): Promise<ConsolePage> {
    const console = await signedIn(browser, service, { address: `/console/folder/${folder}`, ...options })
    await console.files.first().dblclick()
    await details(console.page).getByRole('button', { name: 'Focal point' }).click()
    await cut(console.page, '1:1').waitFor()
    return console
  }

  /** Where a part of the shown picture is on the screen. */
  async function placeOf(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
    const picture = details(page).getByRole('img', { name: 'two.jpg', exact: true })
    const box = (await picture.boundingBox()) ?? assert.fail('no picture')
    return { x: box.x + box.width * x, y: box.y + box.height * y }
  }

  test('is set by a click, shows at once in the cuts, and is cleared again', async () => {
    const { page, close } = await opened()
    await expect.poll(() => positionOf(page, '1:1')).toBe('50% 50%')
    const place = await placeOf(page, 0.375, 0.2)
    await page.mouse.click(place.x, place.y)
    // A square is half of this picture: its middle is at the point.
    await expect.poll(() => positionOf(page, '1:1')).toMatch(/^2[45](\.\d+)?% 50%$/)
    await expect.poll(() => slider(page, 'Vertical').getAttribute('aria-valuetext')).toMatch(/^(19|20)/)
    assert.equal(await saved(ids[0]!), null)
    await saveButton(page).click()
    await expect.poll(async () => (await saved(ids[0]!))?.x).toBeCloseTo(0.375, 2)
    await details(page).getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => saved(ids[0]!)).toBe(null)
    await expect.poll(() => positionOf(page, '1:1')).toBe('50% 50%')
    await close()
  })

  test('is set by keys alone, one version a save', async () => {
    const { page, close } = await opened()
    const before = await version(ids[0]!)
    await slider(page, 'Horizontal').focus()
    await page.keyboard.press('Home')
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    assert.equal(await slider(page, 'Vertical').evaluate((element) => element === document.activeElement), true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => saved(ids[0]!)).toEqual({ x: 0.05, y: 1 })
    await saveButton(page).click()
    assert.equal(await version(ids[0]!), before + 1)
    await close()
  })

  test('is set by touch on a phone, where nothing scrolls sideways', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const
    const { page, close, files, goTo } = await signedIn(browser, service, { ...phone, address: `/console/folder/${folder}` })
    await files.first().waitFor()
    await goTo(`/console/file/${ids[0]}`)
    await details(page).getByRole('button', { name: 'Focal point' }).tap()
    await cut(page, '1:1').waitFor()
    const place = await placeOf(page, 0.75, 0.5)
    await page.touchscreen.tap(place.x, place.y)
    await expect.poll(() => positionOf(page, '1:1')).toMatch(/^(100|99\.\d+)% 50%$/)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
    await saveButton(page).tap()
    await expect.poll(async () => (await saved(ids[0]!))?.x).toBeCloseTo(0.75, 1)
    await close()
  })

  test('is asked for before it is lost, and the answer Save keeps it and what was typed', async () => {
    const { page, close } = await opened()
    await details(page).getByRole('textbox', { name: 'Title' }).fill('Harbour')
    await slider(page, 'Horizontal').fill('0.2')
    await details(page).getByRole('button', { name: 'Next', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Unsaved changes' })
    await question.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**/file/${ids[1]}`)
    assert.deepEqual(await saved(ids[0]!), { x: 0.2, y: 0.5 })
    assert.equal((await client['get-media']({ params: { id: ids[0]! } })).body.metadata.title.en, 'Harbour')
    // It goes on with the next picture.
    await slider(page, 'Horizontal').fill('0.3')
    await details(page).getByRole('button', { name: 'Close' }).click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await details(page).waitFor({ state: 'detached' })
    assert.equal(await saved(ids[1]!), null)
    await close()
  })

  test('that somebody else set meanwhile asks; another change of theirs does not', async () => {
    const { page, close } = await opened()
    const id = ids[0]!
    await client['set-byline']({ params: { id }, body: 'Mette Holm' })
    await slider(page, 'Horizontal').fill('0.1')
    await saveButton(page).click()
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    assert.deepEqual(await saved(id), { x: 0.1, y: 0.5 })

    await client['set-focal-point']({ params: { id }, body: { x: 0.9, y: 0.9 } })
    await slider(page, 'Horizontal').fill('0.4')
    await saveButton(page).click()
    const alert = details(page).getByRole('alert')
    expect(await alert.innerText()).toMatch(/90 %, 90 %.*40 %, 50 %/s)
    assert.deepEqual(await saved(id), { x: 0.9, y: 0.9 })
    await alert.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('status').filter({ hasText: 'Saved' }).nth(1).waitFor()
    assert.deepEqual(await saved(id), { x: 0.4, y: 0.5 })

    await client['set-focal-point']({ params: { id }, body: null })
    await slider(page, 'Horizontal').fill('0.6')
    await saveButton(page).click()
    await alert.getByRole('button', { name: 'Take theirs' }).click()
    await alert.waitFor({ state: 'detached' })
    await saveButton(page).click()
    assert.equal(await saved(id), null)
    await close()
  })

  test('is offered of pictures alone, to who may change them', async () => {
    const note = (await uploadAndImport(client, folder, Buffer.from('a note'), 'a note.txt')).id
    const { page, close, goTo } = await signedIn(browser, service, { address: `/console/file/${note}` })
    await details(page).getByRole('textbox', { name: 'Title' }).waitFor()
    assert.equal(await details(page).getByRole('button', { name: 'Focal point' }).count(), 0)
    await goTo(`/console/file/${ids[0]}`)
    await details(page).getByRole('button', { name: 'Focal point' }).waitFor()
    await close()

    const reader = await accounts!.user()
    await accounts!.grant(folder, reader.userId, ['READ'])
    const read = await signedIn(browser, service, { address: `/console/file/${ids[0]}`, credentials: reader })
    await details(read.page).getByRole('region', { name: 'Facts' }).waitFor()
    assert.equal(await details(read.page).getByRole('button', { name: 'Focal point' }).count(), 0)
    await read.close()
  })
})
