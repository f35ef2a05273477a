import { expect, it } from 'vitest';
import { LocalService } from '../support/service/local-service.ts';
import { isEnd, ServiceClient } from '../support/service/service-client.ts';

it('/metrics shows activity, and names no account, task or caller-supplied path', async () => {
  await using service = await LocalService.start();
  const client = new ServiceClient(service);
  const taskId = await client.createTask('say hello');
  await client.follow(taskId, isEnd);
  await fetch(`${service.url}/v2/made.up?secret=canary`);
  const violation = {
    'effective-directive': 'img-src',
    'blocked-uri': 'https://canary.example/',
    'document-uri': 'http://x/?canary',
  };
  for (const body of [JSON.stringify({ 'csp-report': violation }), '{}', '[]']) {
    const init = { method: 'POST', headers: { 'content-type': 'application/csp-report' }, body };
    expect((await fetch(`${service.url}/web/csp.report`, init)).status).toBe(204);
  }
  const response = await fetch(`${service.url}/metrics`);
  const text = await response.text();
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain('errand_http_requests_total{route="/v2/task.create",status="200"} 1');
  expect(text).toContain('errand_http_requests_total{route="none",status="404"} 1');
  expect(text).toMatch(/^errand_http_request_duration_seconds_count\{route="\/v2\/task.create"\} 1$/m);
  expect(text).toMatch(/^errand_tasks_claimed_total 1$/m);
  expect(text).toMatch(/^errand_turns_ended_total\{status="stopped"\} 1$/m);
  expect(text).toContain('errand_model_calls_total{model="offline/offline-1",outcome="replied"} 1');
  expect(text).toMatch(/^errand_model_tokens_total\{model="offline\/offline-1",kind="input"\} [1-9]\d*$/m);
  expect(text).toMatch(/^errand_model_tokens_total\{model="offline\/offline-1",kind="output"\} [1-9]\d*$/m);
  expect(text).toMatch(/^errand_model_credits_total\{model="offline\/offline-1"\} 0$/m);
  expect(text).toMatch(/^errand_model_call_duration_seconds_count\{model="offline\/offline-1"\} 1$/m);
  expect(text).toMatch(/^errand_worker_tasks 0$/m);
  expect(text).toMatch(/^errand_sandboxes_running 0$/m);
  expect(text).toMatch(/^errand_csp_reports_total 3$/m);
  expect(text).toMatch(/^errand_task_queue_age_seconds 0$/m);
  for (const secret of [taskId, 'made.up', 'canary', service.apiKey]) expect(text).not.toContain(secret);
});
