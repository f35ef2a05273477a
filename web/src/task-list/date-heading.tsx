import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import type { DateGroup } from './date-group.ts';

/** When the tasks below it were created. */
export function DateHeading({ group }: { group: DateGroup }) {
  const { taskList } = useText();
  const format = useFormat();
  const name = typeof group === 'string' ? taskList.dateGroup[group] : format.month(group.monthMs);
  return <h2 className="px-2 pt-5 pb-1 text-xs font-medium text-soft first-letter:uppercase sm:px-3">{name}</h2>;
}
