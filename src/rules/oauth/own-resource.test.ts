import { expect, it } from 'vitest';
import { isOwnResource } from './own-resource.ts';

it('a resource belongs to the instance if it is at or below its public URL', () => {
  const verdicts = (publicUrl: string, ...resources: string[]) => resources.map((resource) => isOwnResource(resource, publicUrl));
  const base = 'https://errand.example/base';
  expect(verdicts(base, base, `${base}/`, `${base}/mcp`, `${base}/mcp?x=1`, 'https://ERRAND.example:443/base')).not.toContain(
    false,
  );
  const outside = ['https://errand.example', 'https://errand.example/basement', `${base}/../mcp`, 'http://errand.example/base'];
  expect(verdicts(base, ...outside, `${base}#`, 'https://me@errand.example/base', 'base', '', 'urn:x')).not.toContain(true);
  expect(verdicts('http://localhost:7070', 'http://127.0.0.1:7070/mcp', 'http://[::1]:7070')).not.toContain(false);
  expect(verdicts('http://localhost:7070', 'http://127.0.0.1:7071/mcp', 'http://127.0.0.1')).not.toContain(true);
  expect(verdicts('https://errand.example', 'http://localhost', 'https://localhost')).not.toContain(true);
});
