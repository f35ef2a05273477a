import { describe, expect, it } from 'vitest';
import { officialSkillId } from '../rules/skills/skill.ts';
import { OfficialSkills } from './official-skills.ts';

const names = ['data-analysis', 'design-kit', 'document-editing', 'research-report', 'slide-deck', 'website'];

describe('the built-in skills', () => {
  const official = new OfficialSkills();

  it('are the six documented ones, each with the scripts that its text names', async () => {
    const skills = await official.list();
    expect(skills.map(({ name }) => name)).toEqual(names);
    for (const { id, name } of skills) {
      expect(id).toBe(officialSkillId(name));
      const loaded = await official.load(id);
      const scripts = loaded?.files.map(({ path }) => path) ?? [];
      expect(scripts.length).toBeGreaterThan(0);
      const named = [...(loaded?.body ?? '').matchAll(/node \.skills\/([\w-]+)\/(scripts\/[\w-]+\.mjs)/g)];
      expect(named.length).toBeGreaterThan(0);
      for (const [, skill, script] of named) expect([skill, scripts.includes(script ?? '')]).toEqual([name, true]);
    }
  });

  it('return null for an unknown id', async () => {
    expect(await official.load('nonsense')).toBeNull();
  });
});
