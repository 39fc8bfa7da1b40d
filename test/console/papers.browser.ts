import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import AxeBuilder from '@axe-core/playwright'
import { describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { signedIn } from './console-page.ts'

const HOSTILE = '<img src=x onerror="document.title=1">'

/** A second of silence. */
function wave(): Buffer {
  const data = Buffer.alloc(8_000, 128)
  const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1')
  const numbers = [16, 0x00010001, 8_000, 8_000, 0x00080001]
  head.writeUInt32LE(36 + data.length, 4)
  for (const [index, number] of numbers.entries()) head.writeUInt32LE(number, 16 + index * 4)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

describe('papers and sound in the console', withBrowser, async () => {
  const { service, browser, client } = await serviceWithBrowser()
  const open = async (bytes: Buffer, name: string) => {
    const { id } = await uploadAndImport(client, service.demo.folder_id, bytes, name)
    const opened = await signedIn(browser, service, { address: `/console/file/${id}` })
    return { ...opened, details: opened.page.getByRole('dialog', { name: 'Details' }) }
  }

  test('texts and tables are shown as text', async () => {
    for (const [name, bytes, shown] of [
      ['notes.txt', Buffer.from(`Grüße ${HOSTILE}\nsecond line`), `Grüße ${HOSTILE}`],
      ['prices.csv', Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x3b, 0xe6, 0x0a]), 'name;æ'],
    ] as const) {
      const opened = await open(bytes, name)
      await opened.details.getByText(shown).waitFor()
      assert.notEqual(await opened.page.title(), '1')
      assert.deepEqual(
        (await new AxeBuilder({ page: opened.page }).analyze()).violations.map(({ id }) => id),
        [],
      )
      await opened.close()
    }
  })

  test('of a long text the beginning is shown', async () => {
    const opened = await open(Buffer.from('0123456789\n'.repeat(60_000)), 'long.txt')
    await opened.details.getByText(/^The first .* of /).waitFor()
    await opened.close()
  })

  test('an archive is shown as a list of what is in it', async () => {
    const zip = new ZipFile()
    for (const name of ['a.txt', `folder/${HOSTILE}.jpg`]) zip.addBuffer(Buffer.from('12345'), name)
    zip.end()
    const opened = await open(await buffer(zip.outputStream), 'press.zip')
    const items = opened.details.getByRole('list', { name: 'Contents' }).getByRole('listitem')
    await expect.poll(() => items.allInnerTexts()).toHaveLength(2)
    await opened.details.getByText('2 entries').waitFor()
    await items.getByText(HOSTILE).waitFor()
    assert.deepEqual(
      (await new AxeBuilder({ page: opened.page }).analyze()).violations.map(({ id }) => id),
      [],
    )
    await opened.close()
  })

  test('sound plays', async () => {
    const opened = await open(wave(), 'voice.wav')
    const audio = opened.details.locator('audio[controls]')
    await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.duration)).toBe(1)
    await opened.close()
  })

  test('vector graphics are drawn in details, and have an icon in the list', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><script>top.document.title=1</script><rect width="200" height="100"/></svg>'
    const opened = await open(Buffer.from(svg), 'logo.svg')
    const image = opened.details.getByRole('img', { name: 'logo.svg' })
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(200)
    assert.notEqual(await opened.page.title(), '1')
    await opened.details.getByRole('button', { name: 'Zoom in' }).click()
    await opened.close()
  })

  test('all other files have an icon and their name', async () => {
    const opened = await open(Buffer.from('%PDF-1.4\n'), 'terms.pdf')
    await opened.details.locator('.frame').getByText('terms.pdf').waitFor()
    await opened.close()
  })
})
