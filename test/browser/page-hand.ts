import type { Locator, Page } from 'playwright-core';

/** What somebody does on a page, by the names that things have for them. */
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
