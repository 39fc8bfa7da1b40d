import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { orientedJpeg } from '../support/pictures/index.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { signedIn } from './console-page.ts'
import { fill, picture } from './library.ts'

const BUTTONS = ['Zoom in', 'Zoom out', 'Actual size', 'Fit', 'Full screen']

/** Red to the left, blue to the right, with a grid that no rendition has. */
const large = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c00' } })
    .composite([{ input: { create: { width: width / 2, height, channels: 3, background: '#00c' } }, left: width / 2, top: 0 }])
    .jpeg()
    .toBuffer()

const detailsOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Details' })
const percentOf = async (page: Page) =>
  Number(
    (
      await detailsOf(page)
        .getByText(/^\d[\d,]* %$/)
        .innerText()
    ).replace(/\D/g, ''),
  )

/** Bytes of the pixels that the page holds of pictures in `Details`: 4 for each. */
const heldBytes = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLImageElement | HTMLCanvasElement>('[role=dialog] img, [role=dialog] canvas')]
    return all.reduce((sum, one) => {
      const [width, height] = one instanceof HTMLImageElement ? [one.naturalWidth, one.naturalHeight] : [one.width, one.height]
      return sum + width * height * 4
    }, 0)
  })

describe('looking at a picture closely', withBrowser, async () => {
  const { service, browser, client, newFolder } = await serviceWithBrowser()
  let folder: number
  let ids: number[]
  beforeAll(async () => {
    folder = await newFolder('Viewer')
    ids = await fill(client, folder, ['one.jpg', 'two.jpg', 'three.jpg'], { width: 3000, height: 2000 })
  })

  const add = (bytes: Buffer, name: string) => uploadAndImport(client, folder, bytes, name)
  const downloads = async () => {
    const { body } = await client['list-events']({ query: { types: ['media.downloaded'] } as never })
    return body.events.length
  }

  test('zooms by buttons, keys, wheel and double click; the pixels of the original come when they are needed', async () => {
    const opened = await signedIn(browser, service, { address: `/console/file/${ids[0]}` })
    const { page } = opened
    const details = detailsOf(page)
    for (const name of BUTTONS) await details.getByRole('button', { name, exact: true }).waitFor()
    await expect.poll(() => percentOf(page)).toBeLessThan(40)
    const whole = await percentOf(page)
    const originals = details.locator('img[src*="/original"]')
    assert.equal(await originals.count(), 0)

    await details.getByRole('button', { name: 'Actual size' }).click()
    assert.equal(await percentOf(page), 100)
    await expect.poll(() => originals.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(3000)
    await details.getByRole('button', { name: 'Fit', exact: true }).click()
    assert.equal(await percentOf(page), whole)

    for (const [key, check] of [
      ['+', (percent: number) => percent > whole],
      ['1', (percent: number) => percent === 100],
      ['-', (percent: number) => percent < 100 && percent > whole],
      ['0', (percent: number) => percent === whole],
    ] as const) {
      await page.keyboard.press(key)
      assert.ok(check(await percentOf(page)), key)
    }
    const box = (await details.getByRole('img', { name: 'one.jpg' }).boundingBox())!
    const at = [box.x + box.width / 2, box.y + box.height / 2] as const
    await page.mouse.move(...at)
    await page.mouse.wheel(0, -300)
    await expect.poll(() => percentOf(page)).toBeGreaterThan(whole)
    await page.keyboard.press('0')
    await page.mouse.dblclick(...at)
    assert.equal(await percentOf(page), 100)
    const left = async () => (await details.getByRole('img', { name: 'one.jpg' }).boundingBox())!.x
    const before = await left()
    await page.mouse.down()
    await page.mouse.move(at[0] + 80, at[1], { steps: 4 })
    await page.mouse.up()
    assert.ok(Math.abs((await left()) - before - 80) < 2)
    await page.mouse.dblclick(...at)
    assert.equal(await percentOf(page), whole)
    await opened.close()
  })

  test('keys do nothing while somebody types', async () => {
    const opened = await signedIn(browser, service, { address: `/console/file/${ids[0]}` })
    const { page } = opened
    await expect.poll(() => percentOf(page)).toBeLessThan(40)
    const whole = await percentOf(page)
    const title = detailsOf(page).getByRole('textbox', { name: 'Title' })
    await title.pressSequentially('F 1+1-0')
    assert.equal(await title.inputValue(), 'F 1+1-0')
    assert.equal(await percentOf(page), whole)
    assert.equal(await page.evaluate(() => document.fullscreenElement), null)
    await title.fill('')
    await opened.close()
  })

  test('fills the screen and gives it back', async () => {
    const opened = await signedIn(browser, service, { address: `/console/file/${ids[0]}` })
    const { page } = opened
    const isFull = () => page.evaluate(() => document.fullscreenElement !== null)
    await detailsOf(page).getByRole('button', { name: 'Full screen' }).click()
    await expect.poll(isFull).toBe(true)
    await page.keyboard.press('f')
    await expect.poll(isFull).toBe(false)
    await opened.close()
  })

  test('over a list it says which one of how many', async () => {
    const opened = await signedIn(browser, service, { address: `/console/folder/${folder}` })
    const { page, files } = opened
    await expect.poll(() => files.count()).toBeGreaterThanOrEqual(3)
    const total = await files.nth(0).getAttribute('aria-setsize')
    await files.nth(0).dblclick()
    const status = detailsOf(page).getByRole('status')
    await status.filter({ hasText: `1 of ${total}` }).waitFor()
    await page.keyboard.press('ArrowRight')
    await status.filter({ hasText: `2 of ${total}` }).waitFor()
    await opened.close()
  })

  test('a finger swipes to the next file and back, two fingers and a double tap zoom', async () => {
    const opened = await signedIn(browser, service, {
      address: `/console/folder/${folder}`,
      hasTouch: true,
      viewport: { width: 390, height: 844 },
    })
    const { page, files, context } = opened
    await files.nth(1).tap()
    const details = detailsOf(page)
    await details
      .getByRole('status')
      .filter({ hasText: /^2 of / })
      .waitFor()
    const devtools = await context.newCDPSession(page)
    const touch = (type: string, ...points: [x: number, y: number][]) =>
      devtools.send('Input.dispatchTouchEvent', { type: type as never, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
    const swipe = async (from: number, to: number) => {
      await touch('touchStart', [from, 200])
      for (let step = 1; step <= 5; step++) await touch('touchMove', [from + ((to - from) * step) / 5, 200])
      await touch('touchEnd')
    }
    await swipe(300, 80)
    await details
      .getByRole('status')
      .filter({ hasText: /^3 of / })
      .waitFor()
    await swipe(80, 300)
    await details
      .getByRole('status')
      .filter({ hasText: /^2 of / })
      .waitFor()

    await expect.poll(() => percentOf(page)).toBeLessThan(40)
    const whole = await percentOf(page)
    await touch('touchStart', [180, 200], [210, 200])
    for (let step = 1; step <= 5; step++) await touch('touchMove', [180 - step * 20, 200], [210 + step * 20, 200])
    await touch('touchEnd')
    await expect.poll(() => percentOf(page)).toBeGreaterThan(whole * 3)
    // What is enlarged is moved by the finger, and stays.
    await swipe(300, 80)
    await details
      .getByRole('status')
      .filter({ hasText: /^2 of / })
      .waitFor()
    await page.touchscreen.tap(200, 200)
    await page.touchscreen.tap(200, 200)
    await expect.poll(() => percentOf(page)).toBe(whole)
    await opened.close()
  })

  test('a small picture is shown at its size, and what is transparent on a checked ground', async () => {
    const transparent = await sharp({ create: { width: 120, height: 80, channels: 4, background: '#0000' } })
      .png()
      .toBuffer()
    const { id } = await add(transparent, 'small.png')
    const opened = await signedIn(browser, service, { address: `/console/file/${id}` })
    const image = detailsOf(opened.page).getByRole('img', { name: 'small.png' })
    await expect.poll(async () => (await image.boundingBox())?.width).toBe(120)
    assert.equal(await percentOf(opened.page), 100)
    assert.match(await image.evaluate((element) => getComputedStyle(element.parentElement!).backgroundImage), /conic-gradient/)
    await opened.close()
  })

  test('of a large original only the part that is seen is held, upright, and not more than 64 MB', async () => {
    const { id } = await add(await large(9000, 6000), 'large.jpg')
    const turned = await sharp(await large(6000, 4000))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { id: upright } = await add(turned, 'turned.jpg')
    const opened = await signedIn(browser, service, { address: `/console/file/${id}` })
    const { page } = opened
    const canvas = detailsOf(page).locator('canvas')
    /** The colour in the middle of what is seen. */
    const colourAt = async (share: number) => {
      const box = (await detailsOf(page).locator('.frame .frame').boundingBox())!
      const [x, y] = [box.x + box.width * share, box.y + box.height / 2]
      const shot = await page.screenshot({ clip: { x, y, width: 1, height: 1 } })
      const { data } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      return data[0]! > data[2]! ? 'red' : 'blue'
    }
    await expect.poll(() => percentOf(page)).toBeLessThan(20)
    await page.keyboard.press('1')
    await expect.poll(() => canvas.evaluate((element: HTMLCanvasElement) => element.width)).toBeGreaterThan(500)
    assert.deepEqual([await colourAt(0.25), await colourAt(0.75)], ['red', 'blue'])
    assert.ok((await heldBytes(page)) < 64_000_000)
    await opened.goTo(`/console/file/${upright}`)
    await expect.poll(() => percentOf(page)).toBeLessThan(30)
    await page.keyboard.press('1')
    await expect.poll(() => canvas.evaluate((element: HTMLCanvasElement) => element.width)).toBeGreaterThan(500)
    // Turned by a quarter: red is above.
    const box = (await detailsOf(page).locator('.frame .frame').boundingBox())!
    const column = await page.screenshot({ clip: { x: box.x + box.width / 2, y: box.y, width: 1, height: box.height } })
    const { data, info } = await sharp(column).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const above = 3 * Math.round(info.height * 0.25)
    const below = 3 * Math.round(info.height * 0.75)
    assert.ok(data[above]! > data[above + 2]! && data[below]! < data[below + 2]!)
    assert.ok((await heldBytes(page)) < 64_000_000)
    await opened.close()
  })

  test('what browsers can not draw stays as it was rendered, and says so', async () => {
    const tiff = await sharp(await large(4000, 2000))
      .tiff({ compression: 'jpeg' })
      .toBuffer()
    const { id } = await add(tiff, 'scan.tif')
    const opened = await signedIn(browser, service, { address: `/console/file/${id}` })
    const { page } = opened
    await expect.poll(() => percentOf(page)).toBeLessThan(40)
    await page.keyboard.press('1')
    await detailsOf(page).getByText('Shown with 1600 pixels: browsers can’t draw this kind of file.').waitFor()
    await opened.close()
  })

  test('hostile shapes: one of 30,000 x 2 pixels, an animation, one that is turned', async () => {
    const strip = await sharp({ create: { width: 30_000, height: 2, channels: 3, background: '#0a0' } })
      .jpeg()
      .toBuffer()
    const gif = await sharp({ create: { width: 50, height: 100, channels: 3, background: '#0a0', pageHeight: 50 } as never })
      .gif()
      .toBuffer()
    for (const [bytes, name] of [
      [strip, 'strip.jpg'],
      [gif, 'moving.gif'],
      [await orientedJpeg(6), 'sixth.jpg'],
    ] as const) {
      const { id } = await add(bytes, name)
      const opened = await signedIn(browser, service, { address: `/console/file/${id}` })
      const { page } = opened
      const image = detailsOf(page).getByRole('img', { name })
      await image.waitFor()
      for (const key of ['1', '+', '+', '+', '-', '0']) await page.keyboard.press(key)
      assert.ok((await image.boundingBox())!.height >= 1, name)
      await opened.close()
    }
  })

  test('on a phone all is within the page, and what has no room stands in `More`', async () => {
    const opened = await signedIn(browser, service, {
      address: `/console/file/${ids[0]}`,
      hasTouch: true,
      viewport: { width: 390, height: 844 },
    })
    const { page } = opened
    const details = detailsOf(page)
    await details.getByRole('button', { name: 'Trash' }).waitFor()
    for (const name of ['Close', 'Download', 'Download as', 'Share', 'Trash', 'More', ...BUTTONS]) {
      const box = await details.getByRole('button', { name, exact: true }).boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390, name)
    }
    assert.equal(await page.evaluate(() => document.querySelector('[role=dialog]')!.scrollWidth), 390)
    await details.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Publish' }).waitFor()
    await opened.close()
  })

  test('downloads the file as it was uploaded, and sizes of it; where it has less it says so', async () => {
    const bytes = await picture(41, { width: 900, height: 600 })
    const { id } = await add(bytes, 'sizes.jpg')
    await client['set-title']({ params: { id }, body: { en: 'Sizes' } })
    const opened = await signedIn(browser, service, { address: `/console/file/${id}` })
    const { page } = opened
    const save = async (name: string) => {
      await detailsOf(page).getByRole('button', { name: 'Download as' }).click()
      const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name, exact: true }).click()])
      return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) }
    }
    const original = await save('Original')
    assert.equal(original.name, 'sizes.jpg')
    assert.ok(original.bytes.equals(bytes))
    const small = await save('800 px')
    assert.deepEqual([small.name, (await sharp(small.bytes).metadata()).width], ['sizes_800px.jpg', 800])
    await detailsOf(page).getByRole('button', { name: 'Download as' }).click()
    await page.getByRole('menuitem', { name: '1600 px', exact: true }).getByText('The original has only 900 × 600').waitFor()
    await opened.close()
  })

  test('looking at a file is no download, until its original is needed', async () => {
    const { id } = await add(await picture(40, { width: 3000, height: 2000 }), 'counted.jpg')
    const before = await downloads()
    const opened = await signedIn(browser, service, { address: `/console/file/${id}` })
    const { page } = opened
    await expect.poll(() => percentOf(page)).toBeLessThan(40)
    await page.keyboard.press('+')
    assert.equal(await downloads(), before)
    await page.keyboard.press('1')
    await expect.poll(downloads).toBe(before + 1)
    await opened.close()
  })
})
