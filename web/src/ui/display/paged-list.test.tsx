import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PagedList, type Pages } from './paged-list.tsx';

const pages: Pages<string> = {
  items: ['first row'],
  error: null,
  ...{ isPending: false, hasMore: true, isFetchingMore: false, hasMoreFailed: false },
  fetchMore: () => undefined,
  refetch: () => undefined,
};

/** Where the error of a list is: above its rows or below them. */
function placeOfError(changes: Partial<Pages<string>>): string {
  const list = (
    <PagedList pages={{ ...pages, error: new Error('no answer'), ...changes }} empty="nothing here">
      {(items) => items.join()}
    </PagedList>
  );
  const html = renderToStaticMarkup(list);
  expect(html).not.toContain('nothing here');
  expect(html).toContain('no answer');
  return html.indexOf('no answer') < html.indexOf('first row') ? 'above' : 'below';
}

describe('a list that grows page by page', () => {
  it('says above its rows that they could not be read again', () => {
    expect(placeOfError({})).toBe('above');
  });

  it('says below its rows that there are no more because reading them failed', () => {
    expect(placeOfError({ hasMoreFailed: true })).toBe('below');
  });
});
