import { createErrand } from '@errand/client';

/** Starts a task for the user who is signed in here, and returns a token with which their browser follows this task alone. */
export async function POST(request: Request): Promise<Response> {
  const errand = createErrand({ baseUrl: process.env.ERRAND_URL ?? '', apiKey: process.env.ERRAND_API_KEY ?? '' });
  const { text, userId } = (await request.json()) as { text: string; userId: string };
  const { task_id } = await errand.task.create({ message: { content: text }, external_user_id: userId, interactive_mode: true });
  const { token } = await errand.task.token({ task_id, expires_in: 3600, can: ['read', 'stream', 'answer'] });
  return Response.json({ url: process.env.ERRAND_URL, taskId: task_id, token });
}
