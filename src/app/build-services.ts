import { join } from 'node:path';
import { createSafeFetch, type SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { type CreditService, createCreditService } from '../api/contract/services/credit-service.ts';
import { StdioServers } from '../connectors/stdio-servers.ts';
import type { PdfConversionService } from '../work/artifacts/pdf-conversion-service.ts';
import { buildPdfConversion } from './build-pdf-converter.ts';
import { buildToolServices, type TaskToolServices } from './build-skills-and-connectors.ts';
import { buildWebhooks, type Webhooks } from './channels/build-webhooks.ts';
import type { Stores } from './open-stores.ts';
import type { ProcessSandbox } from './process-sandbox.ts';
import type { Runtime } from './runtime.ts';

/** What servers and workers both call. */
export interface Services {
  /** The HTTP client for addresses that people and agents name. */
  httpClient: SafeFetch;
  webhooks: Webhooks;
  toolServices: TaskToolServices;
  pdfConversion: PdfConversionService;
  credits: CreditService;
  /** Ends the connectors that run as commands. */
  close(): Promise<void>;
}

export function buildServices(runtime: Runtime, stores: Stores, sandbox: ProcessSandbox): Services {
  const { config, clock, log, chance, memory } = runtime;
  const { database, instanceId, box, blobs } = stores;
  const httpClient = createSafeFetch({ allow: config.outboundAllow, clock, memory });
  const folder = join(config.dataDir, 'connectors', instanceId);
  const stdio = new StdioServers({ sandbox: () => sandbox.open(), clock, log, policy: config.sandboxEgress, folder });
  const acceptsHttp = config.acceptsHttpWebhooks;
  return {
    httpClient,
    webhooks: buildWebhooks({
      ...{ database, box, httpClient, acceptsHttp, clock, log, chance },
      drainMs: config.drainMs,
      isTraced: config.tracing !== null,
    }),
    toolServices: buildToolServices({ database, clock, httpClient, box, hasOpenings: config.outboundAllow.length > 0, stdio }),
    pdfConversion: buildPdfConversion({ config, instanceId, blobs, clock, log, openSandbox: () => sandbox.open() }),
    credits: createCreditService({
      database,
      plans: config.creditPlans,
      price: config.creditPrice,
      isEnforced: config.credits === 'enforced',
    }),
    close: () => stdio.close(),
  };
}
