import { useQuery } from '@tanstack/react-query';
import { errand } from '../api/errand.ts';
import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { RecipeDialog } from './recipe-dialog.tsx';
import type { RecipeSource } from './recipe-form.ts';

const longestName = 100;

/** A recipe from a task: its title, and its first message. */
async function readSource(taskId: string, signal: AbortSignal): Promise<RecipeSource> {
  const [{ task }, { messages }] = await Promise.all([
    errand.task.detail({ task_id: taskId }, { signal }),
    errand.task.listMessages({ task_id: taskId, order: 'asc', limit: 10 }, { signal }),
  ]);
  const first = messages.find((event) => event.type === 'user_message')?.user_message;
  return { name: task.title.slice(0, longestName), message_template: first?.content ?? '' };
}

/** Saves a task as a recipe. */
export function TaskRecipeDialog({ taskId, onClose }: { taskId: string; onClose(): void }) {
  const { recipes } = useText();
  const { data, error, refetch } = useQuery({
    queryKey: ['recipe of task', taskId],
    queryFn: ({ signal }) => readSource(taskId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data) return <RecipeDialog recipe={null} source={data} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={recipes.new} isWide>
      {error ? <ErrorState error={error} onRetry={refetch} /> : <SkeletonList rows={3} />}
    </Dialog>
  );
}
