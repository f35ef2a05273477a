import { expect, it } from 'vitest';
import { describeTenants, type Tenancy } from '../support/neighbours/both-databases.ts';
import { archives, documents } from '../support/neighbours/command-attacks.ts';
import { downloads, filters, forgeries, signIns } from '../support/neighbours/entry-attacks.ts';
import { lists, readers, transfers } from '../support/neighbours/request-attacks.ts';
import { visit } from '../support/neighbours/visit.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { isEnd } from '../support/service/service-client.ts';

const suite = (tenancy: Tenancy) => {
  const attacks = [
    { attack: readers, does: 'follows streams that it does not read, and reads long ones again and again', answer: '200' },
    { attack: lists, does: 'lists a long log again and again', answer: '200' },
    // On a machine that is slow enough, some of its own requests come too late.
    { attack: transfers, does: 'uploads files one beside the other', answer: /^(?:200|408|Error: file\.\w+ answered 408: .*)$/ },
    { attack: downloads, does: 'downloads files, some without reading them', answer: /^(?:200, 16777216|408, \d+) bytes$/ },
    { attack: filters, does: 'lists its tasks by filters that match none', answer: /^0 tasks$/ },
    { attack: signIns, does: 'sits beside strangers who guess passwords', answer: /^(401|429)$/ },
    { attack: forgeries, does: 'is sent large deliveries with wrong signatures', answer: /^(?:401|503)$/ },
  ];

  it.each(attacks)('$does works on without an error', async ({ attack, answer }) => {
    const underWay = await attack.begin(tenancy.stage);
    for (let count = 0; count < 3; count += 1) {
      await visit(tenancy.stage.measured);
      await underWay.waitForOutcomes(underWay.outcomes.length + 1);
    }
    await underWay.end();
    for (const outcome of underWay.outcomes) expect(outcome).toMatch(answer);
  });

  it('unpacks and searches large archives unpacks and searches its own', async () => {
    const attack = await archives.begin(tenancy.stage);
    const lines = 'run mkdir d; echo found > d/f; python3 -m zipfile -c a.zip d\nunpack a.zip into u\nsearch found';
    const events = await tenancy.stage.measured.follow(await tenancy.stage.measured.createTask(lines), isEnd);
    expect(JSON.stringify(events)).toContain('u/d/f');
    await visit(tenancy.stage.measured);
    await attack.end();
  });

  it('has documents made and converted without end has its own made', async () => {
    const attack = await documents.begin(tenancy.stage);
    const events = await tenancy.stage.measured.follow(
      await tenancy.stage.measured.createTask('document a.docx with Words'),
      isEnd,
    );
    expect(JSON.stringify(events)).toContain('a.docx');
    await visit(tenancy.stage.measured);
    await attack.end();
  });
};

if (testSandbox) describeTenants('an account whose neighbor', { messages: 0 }, suite);
