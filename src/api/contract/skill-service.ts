import type { SkillCard, SkillPackage } from '../../rules/skills/skill.ts';

/** What operations on skills need beyond the store. */
export interface SkillService {
  /** The skills that come with the service. */
  listOfficial(): Promise<readonly (SkillCard & { id: string })[]>;
  /** A whole skill that comes with the service; null when there is none of this id. */
  loadOfficial(skillId: string): Promise<SkillPackage | null>;
  /** Reads a skill that was sent, as a zip or as the text of a SKILL.md: 400 that says what is wrong with it. */
  readPackage(source: { zip: Uint8Array } | { text: string }): Promise<SkillPackage>;
}
