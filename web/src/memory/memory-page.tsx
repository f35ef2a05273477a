import { useNavigate, useSearch } from '@tanstack/react-router';
import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { MemoryFile } from './memory-file.tsx';
import { MemoryFiles } from './memory-files.tsx';
import { placeOf } from './memory-place.ts';
import { type MemorySearch, readMemorySearch } from './memory-search.ts';
import { NewFile } from './new-file.tsx';
import { PlaceSelect } from './place-select.tsx';
import { RestoreMemory } from './restore-memory.tsx';

/** The notes that outlive tasks, of the account, a project, or an agent. */
export function MemoryPage() {
  const { memory } = useText();
  const navigate = useNavigate();
  const { path, ...list } = readMemorySearch(useSearch({ strict: false }));
  const place = placeOf(list);
  if (path !== undefined) {
    return (
      <Page>
        <MemoryFile place={place} path={path} list={list} />
      </Page>
    );
  }
  const show = (search: MemorySearch) => void navigate({ to: '/memory', search, replace: true });
  const actions = (
    <>
      <RestoreMemory place={place} />
      <NewFile place={place} />
    </>
  );
  return (
    <Page>
      <PageHeader title={memory.title} lead={memory.lead} actions={actions} />
      <div className="mb-4">
        <PlaceSelect
          place={place}
          onChange={({ scope, id }) => show(scope === 'account' || id === undefined ? {} : { scope, id })}
        />
      </div>
      <MemoryFiles place={place} search={list} />
    </Page>
  );
}
