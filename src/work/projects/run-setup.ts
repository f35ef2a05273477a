import type { RunSetup } from '../../agent/agent-ports.ts';
import type { ProjectKey } from '../../store/projects/project-key.ts';
import type { FoundLayer, ProjectSetups } from './project-setups.ts';

/** What the setup script of the task's project has made, for one run of the task. */
export class LeasedSetup implements RunSetup {
  readonly #setups: Pick<ProjectSetups, 'find'>;
  readonly #key: ProjectKey;
  #found: FoundLayer | null | undefined;
  #notes: string[] = [];

  constructor(setups: Pick<ProjectSetups, 'find'>, key: ProjectKey) {
    this.#setups = setups;
    this.#key = key;
  }

  async mount(signal: AbortSignal, report: (text: string) => void) {
    if (this.#found === undefined) {
      this.#found = await this.#setups.find(this.#key, signal, report);
      if (this.#found?.folder === null) this.#notes.push(describeProblem(this.#found.problem));
    }
    return this.#found?.folder === null ? null : (this.#found ?? null);
  }

  takeNotes(): string[] {
    return this.#notes.splice(0);
  }
}

function describeProblem(problem: string): string {
  return `The setup script of the project failed, so what it installs is missing. Do without, and tell the user. Its last output:\n${problem}`;
}
