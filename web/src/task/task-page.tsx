import { useParams } from '@tanstack/react-router';
import { TaskView } from './task-view.tsx';

/** One task: its live conversation and all actions. */
export function TaskPage() {
  const { taskId } = useParams({ from: '/signed-in/app/$taskId' });
  return <TaskView key={taskId} taskId={taskId} />;
}
