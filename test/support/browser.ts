import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { skippedFor } from './skipping.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']

/** The Chromium of this machine. Playwright's own would be a download of 150 MB, and is no browser that people use. */
const executablePath = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Options of suites that drive a browser. */
export const withBrowser = skippedFor(!executablePath && 'no Chromium here: install it by the package manager of the system')

/** Starts the browser, without a window. */
export async function openBrowser(): Promise<Browser> {
  // In the locale C Chromium can't open files whose names are not ASCII.
  return await chromium.launch({ executablePath, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
}
