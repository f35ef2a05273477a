import type { Entrant } from '@errand/base/load/fair-gate.ts';
import type { SkillCard, SkillPackage } from '../../../rules/skills/skill.ts';

/** What operations on skills need beyond the store. */
export interface SkillService {
  /** The built-in skills. */
  listOfficial(): Promise<readonly (SkillCard & { id: string })[]>;
  /** A complete built-in skill; null if there is none with this id. */
  loadOfficial(skillId: string): Promise<SkillPackage | null>;
  /** Reads an uploaded skill, as a zip or as the text of a SKILL.md. Rejects with a 400 that explains the problem. */
  readPackage(source: { zip: Uint8Array } | { text: string }, uploader: Entrant): Promise<SkillPackage>;
}
