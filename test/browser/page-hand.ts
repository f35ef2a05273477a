import type { Locator, Page } from 'playwright-core';

/** User actions on a page, by accessible names. */
export class PageHand {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  dialog(name?: string): Locator {
    return this.page.getByRole('dialog', name === undefined ? {} : { name });
  }

  async press(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole('button', { name, exact: typeof name === 'string' }).click();
  }

  field(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('textbox', { name });
  }

  /** What the page says in its corner after something was done. */
  said(text: string | RegExp): Locator {
    return this.page.getByRole('status').getByText(text);
  }
}
