import { useNavigate, useSearch } from '@tanstack/react-router';
import { useText } from '../text/locale.ts';
import { Select } from '../ui/controls/select.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { DecidedItems } from './decided-items.tsx';
import { type InboxSearch, type InboxType, inboxTypes, readInboxSearch } from './inbox-search.ts';
import { textOf } from './item-texts.ts';
import { OpenItems } from './open-items.tsx';

/** Everything that waits for the user, and what was decided. */
export function InboxPage() {
  const { inbox } = useText();
  const search = readInboxSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (next: InboxSearch) => void navigate({ to: '/inbox', search: next, replace: true });
  const { type, view } = search;
  const types = inboxTypes.map((value) => ({ value, label: textOf(inbox.types, value) }));
  return (
    <Page>
      <PageHeader title={inbox.title} lead={inbox.lead} />
      <div className="mb-4 -ml-2.5 flex flex-wrap gap-1.5">
        <Select<'open' | 'decided'>
          isQuiet
          aria-label={inbox.view}
          value={view ?? 'open'}
          options={[
            { value: 'open', label: inbox.open },
            { value: 'decided', label: inbox.decided },
          ]}
          onValueChange={(value) => change({ ...(type && { type }), ...(value === 'decided' && { view: value }) })}
        />
        <Select<InboxType | ''>
          isQuiet
          aria-label={inbox.type}
          value={type ?? ''}
          options={[{ value: '', label: inbox.anyType }, ...types]}
          onValueChange={(value) => change({ ...(view && { view }), ...(value !== '' && { type: value }) })}
        />
      </div>
      {view === 'decided' ? <DecidedItems type={type} /> : <OpenItems type={type} />}
    </Page>
  );
}
