import { beforeAll, describe, expect, it } from 'vitest';
import { findNamespaceWay, runInside } from './namespace.ts';
import { openHosts, publicFour } from './url-forms.ts';

interface Report {
  direct: Record<string, number>;
  open: Record<string, string>;
  openCatch: Record<string, number>;
  closed: Record<string, string>;
  closedCatch: Record<string, number>;
  tunnelled: Record<string, string>;
  tunnelledCatch: Record<string, number>;
  redirected: Record<string, string>;
  redirectedCatch: Record<string, number>;
  attached: Record<string, string>;
  attachedCatch: Record<string, number>;
  rebinding: string[];
  rebindingCatch: Record<string, number>;
  own: string;
  ownCatch: Record<string, number>;
  untrusted: string;
  tlsRequestCount: number;
}

const way = findNamespaceWay();

/** An environment that would lead requests astray if anything listened to it. */
const environment = {
  HTTP_PROXY: 'http://127.0.0.1:80',
  HTTPS_PROXY: 'http://127.0.0.1:80',
  http_proxy: 'http://127.0.0.1:80',
  https_proxy: 'http://127.0.0.1:80',
  NODE_USE_ENV_PROXY: '1',
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  NODE_NO_WARNINGS: '1',
};

function countVerdicts(verdicts: Record<string, string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const verdict of Object.values(verdicts)) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

describe.skipIf(way === null)('in a network where every address answers', () => {
  let report: Report;

  beforeAll(async () => {
    report = (await runInside(way ?? [], 'traps-inside.ts', environment)) as Report;
  });

  it('the traps catch anyone who dials them', () => {
    expect(Object.values(report.direct)).toEqual(Array(7).fill(1));
    expect(Object.keys(report.direct)).toContain('169.254.169.254');
  });

  it('public hosts are reached, each at its own address and past every proxy', () => {
    expect(countVerdicts(report.open)).toEqual({ 200: Object.keys(openHosts).length });
    expect(Object.keys(report.openCatch).toSorted()).toEqual([...new Set(Object.values(openHosts))].toSorted());
  });

  it('nothing private is ever dialed', () => {
    expect(countVerdicts(report.closed)).toEqual({ blocked: Object.keys(report.closed).length });
    expect(Object.keys(report.closed).length).toBeGreaterThan(250);
    expect(report.closedCatch).toEqual({});
  });

  it('commands and the browser cannot reach it either', () => {
    expect(countVerdicts(report.tunnelled)).toEqual({ blocked: Object.keys(report.tunnelled).length });
    expect(Object.keys(report.tunnelled).length).toBeGreaterThan(150);
    expect(report.tunnelledCatch).toEqual({});
  });

  it('no redirect leads there', () => {
    const count = Object.keys(report.redirected).length;
    expect(count).toBeGreaterThan(200);
    expect(countVerdicts(report.redirected)).toEqual({ blocked: count });
    expect(report.redirectedCatch).toEqual({ [publicFour]: count });
  });

  it('no file_url of a message leads there', () => {
    expect(countVerdicts(report.attached)).toEqual({ 'part.file_url:': Object.keys(report.closed).length });
    expect(report.attachedCatch).toEqual({});
  });

  it('a public address of the machine itself is not dialed', () => {
    expect([report.own, report.ownCatch]).toEqual(['blocked', {}]);
  });

  it('a name that changes its address after the check is dialed at the checked address', () => {
    expect(report.rebinding).toEqual(['200', 'blocked']);
    expect(report.rebindingCatch).toEqual({ [publicFour]: 1 });
  });

  it('an untrusted certificate is rejected, whatever the environment says', () => {
    expect(report.untrusted).toBe('tls');
    expect(report.tlsRequestCount).toBe(0);
  });
});
