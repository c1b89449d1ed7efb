import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../rules/src/testing/temporary-folder.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const page = (folder: string) => budget(folder, '--html');

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] });
afterAll(() => browser.close());

/** The exit status says what does not fit: it is not asked for here. */
function budget(folder: string, ...argv: readonly string[]): string {
  const command = [`${repository}cli/dist/main.js`, 'budget', folder, ...argv];
  try {
    return execFileSync(process.execPath, command, { encoding: 'utf8' });
  } catch (error) {
    return String((error as { readonly stdout: unknown }).stdout);
  }
}

interface Shown {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
}

/** Opens a page, and fails the test when the browser complains of it. */
async function show(html: string, { colorScheme = 'light', width = 1200 }: Shown = {}): Promise<Page> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
  const shown = await context.newPage();
  const complaints: string[] = [];
  shown.on('console', (message) => complaints.push(message.text()));
  shown.on('pageerror', (error) => complaints.push(error.message));
  shown.on('request', (request) => complaints.push(`asks for ${request.url()}`));
  await shown.setContent(html);
  expect(complaints).toEqual([]);
  return shown;
}

const shop = page(`${repository}fixtures/shop`);

test('pointing at a number, or reaching it with the keyboard, shows where it was read', async () => {
  const shown = await show(shop);
  const number = shown.locator('tbody .known').first();
  const why = number.locator('.why');
  expect(await why.isVisible()).toBe(false);
  await number.hover();
  expect(await why.isVisible()).toBe(true);
  expect(await why.innerText()).toMatch(/maxReplicas: 12 .*catalog\.yaml:46:16/);
  await shown.mouse.move(0, 0);
  expect(await why.isVisible()).toBe(false);
  await number.focus();
  expect(await why.isVisible()).toBe(true);
});

test.each([360, 1200])('nothing sticks out at %i pixels', async (width) => {
  const shown = await show(shop, { width });
  expect(await shown.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
});

test('the bars show the limit and what is beyond it', async () => {
  const shown = await show(shop);
  const bars = await shown.locator('.bar').all();
  const goesBeyond = bars.map(async (bar) => {
    const [used, limit] = [await boxOf(bar.locator('i')), await boxOf(bar.locator('b'))];
    return used.x + used.width > limit.x + limit.width;
  });
  expect(await Promise.all(goesBeyond)).toEqual([false, true, true]);
  expect(await shown.locator('.bar i.over').count()).toBe(2);
});

describe.each(['light', 'dark'] as const)('in the %s scheme', (colorScheme) => {
  test('every text stands out from what is behind it (WCAG AA)', async () => {
    const shown = await show(shop, { colorScheme });
    expect(await contrasts(shown)).toEqual({ checked: expect.any(Number) as number, faint: [] });
  });
});

test('on paper it is black on white, without what only a pointer shows', async () => {
  const shown = await show(shop, { colorScheme: 'dark' });
  await shown.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await shown.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  expect(await contrasts(shown)).toEqual({ checked: expect.any(Number) as number, faint: [] });
  await shown.locator('tbody .known').first().focus();
  expect(await shown.locator('.why:visible').count()).toBe(0);
});

test('a name is only a name', async () => {
  const root = temporaryFolder({
    'compose.yaml': `services:
  "<img src=x onerror=alert(1)>\\"'":
    build: .
    environment: {DATABASE_URL: "postgres://u:hunter2@db/x"}
  db:
    image: postgres:17
`,
    'package.json': '{"name":"api","main":"db.ts"}',
    'db.ts': "import { Pool } from 'pg';\nexport const pool = new Pool({ connectionString: process.env.DATABASE_URL });\n",
  });
  const shown = await show(page(root));
  expect(await shown.locator('img').count()).toBe(0);
  expect(await shown.locator('tbody td').first().innerText()).toBe('<img src=x onerror=alert(1)>"\'');
  expect(await shown.content()).not.toContain('hunter2');
});

test('the picture alone is a drawing of its own, in which no box covers another', async () => {
  const shown = await show(budget(`${repository}fixtures/shop`, '--svg'));
  const boxes = await Promise.all((await shown.locator('svg rect.box').all()).map(boxOf));
  expect(boxes).toHaveLength(6);
  const meet = (a: Box, b: Box) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  expect(boxes.filter((a, index) => boxes.slice(index + 1).some((b) => meet(a, b)))).toEqual([]);
});

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('not shown');
  return box;
}

/** The texts that are hard to read, and how many were looked at. */
function contrasts(shown: Page): Promise<{ readonly checked: number; readonly faint: readonly string[] }> {
  return shown.evaluate(readFileSync(new URL('browser/faint-texts.js', import.meta.url), 'utf8'));
}
