/** How commands name the argument that says which task. */
export const taskIdArgument = { TASK_ID: 'Id of the task.' } as const;
