import type { TaskMatch } from '../api/task-cache.ts';
import { useText } from '../text/locale.ts';

/** A passage in which words were found, with the words marked. */
export function Snippet({ snippet }: Pick<TaskMatch, 'snippet'>) {
  return snippet.map(({ text, is_match: isMatch }, at) =>
    isMatch ? (
      <mark key={at} className="rounded-xs bg-accent-soft px-0.5 font-medium text-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

/** Where in a task the words were found, and what stands there. A title speaks for itself. */
export function MatchLine({ match }: { match: TaskMatch }) {
  const { taskList } = useText();
  if (match.found_in === 'title') return null;
  return (
    <p className="mt-0.5 line-clamp-2 text-sm wrap-anywhere text-soft">
      <span className="font-medium">{taskList.foundIn[match.found_in]}</span> <Snippet snippet={match.snippet} />
    </p>
  );
}
