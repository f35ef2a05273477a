import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Download, Locator, Page } from 'playwright-core';
import { pause } from './deadline.ts';
import type { Tabs } from './tabs.ts';

const actionMs = 10_000;
/** How long a server may take to begin its response to a download. */
const beginMs = 20_000;
/** Downloads arrive here, in the memory of the sandbox, before they are moved into the workspace. */
export const downloadFolder = '/tmp/downloads';
const mostBytes = 200 * 1024 * 1024;
const lookEveryMs = 200;

/** A path of the workspace whose folder exists. */
export async function place(workspace: string, path: string): Promise<string> {
  const file = join(workspace, path);
  await mkdir(dirname(file), { recursive: true });
  return file;
}

async function measureDownloads(): Promise<number> {
  const names = await readdir(downloadFolder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(downloadFolder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Cancels a download that becomes too large. */
async function watchSize(download: Download, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    if ((await measureDownloads()) > mostBytes) await download.cancel();
    await pause(lookEveryMs);
  }
}

async function save(download: Download, file: string): Promise<void> {
  let isOver = false;
  const watching = watchSize(download, () => isOver);
  try {
    await download.saveAs(file);
  } catch (error) {
    const failure = await download.failure();
    if (failure === 'canceled') throw new Error(`the file is larger than ${mostBytes / 1024 / 1024} MB`, { cause: error });
    throw new Error(failure === null ? 'the file could not be saved' : `the download failed: ${failure}`, { cause: error });
  } finally {
    isOver = true;
    await watching;
    await download.delete().catch(() => undefined);
  }
}

/** Clicks what begins a download and stores the file in the workspace. */
export async function downloadFrom(tabs: Tabs, target: Locator, workspace: string, path: string): Promise<string> {
  tabs.awaitsDownload = true;
  try {
    const begun = tabs.page.waitForEvent('download', { timeout: beginMs });
    begun.catch(() => undefined);
    await target.click({ timeout: actionMs });
    const file = await place(workspace, path);
    await save(await begun, file);
    return `downloaded ${path} (${(await stat(file)).size} bytes)`;
  } finally {
    tabs.awaitsDownload = false;
  }
}

/** Gives files of the workspace to a field, or to what asks for files when it is clicked. */
export async function uploadTo(page: Page, target: Locator, workspace: string, paths: readonly string[]): Promise<string> {
  const files = await Promise.all(
    paths.map(async (path) => {
      const file = await realpath(join(workspace, path)).catch(() => null);
      if (file === null || !file.startsWith(`${workspace}/`)) throw new Error(`there is no file ${path} in the workspace`);
      return file;
    }),
  );
  const isField = (await target.evaluate('(one) => (one.control ?? one).type === "file"')) === true;
  if (isField) await target.setInputFiles(files, { timeout: actionMs });
  else {
    const asked = page.waitForEvent('filechooser', { timeout: actionMs });
    asked.catch(() => undefined);
    await target.click({ timeout: actionMs });
    await (await asked).setFiles(files, { timeout: actionMs });
  }
  return `uploaded ${paths.join(', ')}`;
}

/** Removes what downloads that were cancelled have left. */
export async function clearDownloads(): Promise<void> {
  const names = await readdir(downloadFolder).catch(() => []);
  await Promise.all(names.map((name) => rm(join(downloadFolder, name), { force: true, recursive: true })));
}
