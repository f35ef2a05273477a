export type { TaskLog, TaskStatus } from './task-log.ts';
export type { TaskAccess, TokenSource } from './task-access.ts';
export { useTask, type Task, type TaskState } from './use-task.ts';
export { useTaskStream, type TaskStream } from './use-task-stream.ts';
export { TaskView, type TaskViewProps } from './task-view.tsx';
export { type TaskTexts, taskTexts } from './task-texts.ts';
