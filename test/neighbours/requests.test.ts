import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archives, documents } from '../support/neighbours/command-attacks.ts';
import { readers, transfers } from '../support/neighbours/request-attacks.ts';
import { Stage, stageSettings } from '../support/neighbours/stage.ts';
import { visit } from '../support/neighbours/visit.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { isEnd } from '../support/service/service-client.ts';
import { LocalService } from '../support/service/local-service.ts';

describe.runIf(testSandbox)('an account whose neighbor', () => {
  let service: LocalService;
  let stage: Stage;

  beforeAll(async () => {
    service = await LocalService.start({ env: stageSettings });
    stage = await Stage.open(service, { strength: 2, messages: 0 });
  });

  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
    await service.end();
  });

  const attacks = [
    { attack: readers, does: 'follows streams that it does not read, and reads long ones again and again', answer: '200' },
    { attack: transfers, does: 'uploads files one beside the other', answer: '200' },
  ];

  it.each(attacks)('$does works on without an error', async ({ attack, answer }) => {
    const underWay = await attack.begin(stage);
    for (let count = 0; count < 3; count += 1) {
      await visit(stage.measured);
      await underWay.waitForOutcomes(underWay.outcomes.length + 1);
    }
    await underWay.end();
    for (const outcome of underWay.outcomes) expect(outcome).toMatch(answer);
  });

  it('unpacks and searches large archives unpacks and searches its own', async () => {
    const attack = await archives.begin(stage);
    const lines = 'run mkdir d; echo found > d/f; python3 -m zipfile -c a.zip d\nunpack a.zip into u\nsearch found';
    const events = await stage.measured.follow(await stage.measured.createTask(lines), isEnd);
    expect(JSON.stringify(events)).toContain('u/d/f');
    await visit(stage.measured);
    await attack.end();
  });

  it('has documents made and converted without end has its own made', async () => {
    const attack = await documents.begin(stage);
    const events = await stage.measured.follow(await stage.measured.createTask('document a.docx with Words'), isEnd);
    expect(JSON.stringify(events)).toContain('a.docx');
    await visit(stage.measured);
    await attack.end();
  });
});
