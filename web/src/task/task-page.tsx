import { useParams } from '@tanstack/react-router';
import { TaskView } from './task-view.tsx';

/** One task: its conversation, live, and everything that can be done with it. */
export function TaskPage() {
  const { taskId } = useParams({ from: '/signed-in/app/$taskId' });
  return <TaskView key={taskId} taskId={taskId} />;
}
