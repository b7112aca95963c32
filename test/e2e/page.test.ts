// The page of causes in a real browser: ten thousand endangered tests, by mouse and by keyboard, in both colour schemes.
// CHROMIUM names another browser than Debian's; SCREENSHOTS a folder in which pictures are kept to be looked at.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVIL_NAME, largePage, TESTS } from './large-summary.ts'

const BROWSER = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const MAX_BYTES = 5_000_000, MAX_OPEN_MS = 2000, MAX_ANSWER_MS = 1000

let folder: string, file: string, browser: Browser
const html = largePage()

beforeAll(async () => {
  if (!existsSync(BROWSER)) throw new Error(`${BROWSER} is missing: apt-get install chromium, or name one in CHROMIUM`)
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-page-'))
  file = join(folder, 'causes.html')
  writeFileSync(file, html)
  browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] })
})

afterAll(async () => {
  await browser?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

interface Opened {
  readonly page: Page
  readonly complaints: string[]
  readonly requests: string[]
}

/** With everything that the console says and every request that is made. */
async function open(colorScheme: 'light' | 'dark' = 'light'): Promise<Opened> {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1440, height: 1000 } })
  const page = await context.newPage()
  const complaints: string[] = [], requests: string[] = []
  page.on('console', m => complaints.push(m.text()))
  page.on('pageerror', e => complaints.push(e.message))
  page.on('request', r => requests.push(r.url()))
  await page.goto(pathToFileURL(file).href)
  await page.locator('#causes li').first().waitFor()
  return { page, complaints, requests }
}

const number = async (page: Page, n: number): Promise<number> =>
  Number((await page.locator('#numbers b').nth(n).textContent())!.replaceAll(',', ''))

/** What the browser itself spent from an event to the next frame. */
const timed = (page: Page, act: string): Promise<number> =>
  page.evaluate(
    `new Promise(done => { const t = performance.now(); ${act}; requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - t))) })`,
  )

describe('the page of ten thousand tests', () => {
  test('is small, opens soon, asks for nothing and complains of nothing', async () => {
    expect(Buffer.byteLength(html)).toBeLessThan(MAX_BYTES)
    const { page, complaints, requests } = await open()
    const opened = await page.evaluate('performance.getEntriesByType("navigation")[0].loadEventEnd') as number
    expect(opened).toBeGreaterThan(0)
    expect(opened).toBeLessThan(MAX_OPEN_MS)
    await expect.poll(() => number(page, 1)).toBeGreaterThanOrEqual(TESTS)
    expect(requests).toEqual([pathToFileURL(file).href])
    expect(complaints).toEqual([])
  })

  test('answers its filters', async () => {
    const { page, complaints } = await open()
    const all = await number(page, 0)
    const answer = await timed(page,
      `const box = document.getElementById('text'); box.value = 'test_case_4242'; box.dispatchEvent(new Event('input'))`)
    expect(answer).toBeLessThan(MAX_ANSWER_MS)
    const found = await number(page, 0)
    expect(found).toBeGreaterThan(0)
    expect(found).toBeLessThan(all)
    await page.keyboard.press('Escape')
    await expect.poll(() => number(page, 0)).toBe(all)
    await page.selectOption('#severity', 'error')
    await expect.poll(() => number(page, 0)).toBeLessThan(all)
    await page.selectOption('#severity', '')
    // The only folder at the top is not worth a click: its children are shown.
    await expect.poll(() => page.locator('#folders button').first().getAttribute('title')).toMatch(/^services\/\w+$/)
    await page.locator('#folders button').first().click()
    await expect.poll(() => number(page, 1)).toBeLessThan(TESTS)
    await page.locator('#crumbs button').first().click()
    await expect.poll(() => number(page, 1)).toBeGreaterThanOrEqual(TESTS)
    expect(complaints).toEqual([])
  })

  test('is used by keyboard', async () => {
    const { page } = await open()
    const chosen = () => page.locator('#causes [aria-selected=true]').getAttribute('id')
    const first = await chosen()
    await page.keyboard.press('j')
    const second = await chosen()
    expect(second).not.toBe(first)
    await page.keyboard.press('k')
    await expect.poll(() => chosen()).toBe(first)
    await page.keyboard.press('/')
    await page.keyboard.type('jj')
    await expect.poll(() => page.locator('#text').inputValue()).toBe('jj')
    await page.keyboard.press('Escape')
    await page.locator('#causes').focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => chosen()).toBe(second)
    await page.locator('#picture [role=button]').first().focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#folder').textContent()).toMatch(/^in services\//)
  })

  test('shows which tests a cause feeds', async () => {
    const { page } = await open()
    await page.locator('#picture [aria-label*="show this cause"]').nth(3).click()
    await expect.poll(() => page.locator('.ribbon.lit').count()).toBeGreaterThan(0)
    await expect.poll(() => page.locator('#detail pre').first().textContent()).toContain('time.time_ns()')
    await page.locator('#detail details').first().locator('summary').click()
    await page.locator('#detail details li').first().waitFor()
  })

  test('takes a hostile name for a name', async () => {
    const { page } = await open()
    await page.fill('#text', 'onerror')
    await page.locator('#tests tr', { hasText: 'onerror' }).first().waitFor()
    await expect.poll(() => page.locator('#tests tr').first().locator('td').first().textContent()).toContain(EVIL_NAME)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    await expect.poll(() => page.locator('img').count()).toBe(0)
  })

  test.each(['light', 'dark'] as const)('has a %s face of its own', async scheme => {
    const { page } = await open(scheme)
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    await expect.poll(() => paper()).toBe(scheme === 'light' ? 'rgb(251, 250, 247)' : 'rgb(22, 24, 29)')
    const picture = await page.screenshot({ fullPage: false })
    expect(picture.length).toBeGreaterThan(20_000)
    if (process.env['SCREENSHOTS']) {
      writeFileSync(join(process.env['SCREENSHOTS'], `${scheme}-top.png`), picture)
      await page.locator('.columns').scrollIntoViewIfNeeded()
      await page.evaluate(`document.querySelector('.columns').scrollIntoView()`)
      writeFileSync(join(process.env['SCREENSHOTS'], `${scheme}-causes.png`), await page.screenshot())
    }
    await page.locator('#theme').click()
    await expect.poll(() => paper()).toBe(scheme === 'light' ? 'rgb(22, 24, 29)' : 'rgb(251, 250, 247)')
  })
})
