import type { FastifyInstance } from 'fastify';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import { GcraLimiter } from '@errand/base/load/gcra-limiter.ts';
import { parseJsonBody } from '../server/json-body.ts';
import { reportPath } from './web-policy.ts';

export interface CspReportParts {
  clock: Clock;
  log: Log;
  metrics?: Metrics;
}

const bodyLimit = 16 * 1024;
const longestText = 200;
/** Anyone can send these, so only some are logged; all are counted. */
const linesAMinute = 30;

function readText(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, longestText).toWellFormed() : null;
}

/** A browser's report of one violation: the rule, the blocked URL and the page, without queries. */
function readReport(body: Buffer | undefined) {
  const { 'csp-report': report } = (parseJsonBody(body) ?? {}) as { 'csp-report'?: Record<string, unknown> };
  const page = readText(report?.['document-uri']);
  return {
    directive: readText(report?.['effective-directive']),
    blocked: readText(report?.['blocked-uri'])?.split('?', 1)[0] ?? null,
    page: page !== null && URL.canParse(page) ? new URL(page).pathname : null,
  };
}

/** Where browsers report violations of the policy: a defect of ours, or a blocked attack. */
export function mountCspReports(server: FastifyInstance, { clock, log, metrics }: CspReportParts): void {
  // Shown from the start: zero reports is useful information.
  metrics?.count('errand_csp_reports_total', {}, 0);
  const pace = new GcraLimiter(clock, { count: linesAMinute, windowMs: 60_000 });
  void server.register((scope, _options, done) => {
    scope.addContentTypeParser('application/csp-report', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.route({
      method: 'POST',
      url: reportPath,
      bodyLimit,
      handler: async (request, reply) => {
        const report = readReport(request.body as Buffer | undefined);
        metrics?.count('errand_csp_reports_total');
        if (pace.take('') === 0) log.warn({ ...report, request_id: request.id }, 'content security policy violated');
        return reply.code(204).header('x-request-id', request.id).send();
      },
    });
    done();
  });
}
