import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../api/account-facts.ts';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Select } from '../ui/controls/select.tsx';
import type { MemoryPlace } from './memory-place.ts';

const nameOf = ({ scope, id = '' }: MemoryPlace) => (scope === 'account' ? 'account' : `${scope}:${id}`);

/** Chooses whose memory is shown: the account's, a project's, or an agent's. */
export function PlaceSelect({ place, onChange }: { place: MemoryPlace; onChange(place: MemoryPlace): void }) {
  const { memory } = useText();
  const projects = useQuery(projectsQuery).data ?? [];
  const agents = useQuery({
    queryKey: [...keys.agents, 'list'],
    queryFn: async ({ signal }) => (await errand.agent.list({}, { signal })).data,
  });
  const places: { place: MemoryPlace; label: string }[] = [
    { place: { scope: 'account' }, label: memory.account },
    ...projects.map(({ id, name }) => ({ place: { scope: 'project' as const, id }, label: memory.project(name) })),
    ...(agents.data ?? []).map(({ id, nickname }) => ({ place: { scope: 'agent' as const, id }, label: memory.agent(nickname) })),
  ];
  const options = places.map((one) => ({ value: nameOf(one.place), label: one.label }));
  const value = nameOf(place);
  // The names are still being read, or it is gone.
  const isListed = options.some((option) => option.value === value);
  const choose = (chosen: string) => {
    const found = places.find((one) => nameOf(one.place) === chosen);
    if (found) onChange(found.place);
  };
  return (
    <Select
      aria-label={memory.whose}
      className="max-w-full"
      value={value}
      options={isListed ? options : [...options, { value, label: place.id ?? '' }]}
      onValueChange={choose}
    />
  );
}
