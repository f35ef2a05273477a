import { join } from 'node:path';
import { Passwords } from '@errand/base/secrets/passwords.ts';
import { Fault } from '@errand/base/fault.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { SharePictures } from '../api/contract/services/share-pictures.ts';
import type { Blobs } from '../store/blobs/blobs.ts';
import { ratesOf } from '../config/rate-limit-settings.ts';
import {
  buildHttp,
  type HttpService,
  OwnRateLimiter,
  type RateLimiter,
  SharedRateLimiter,
} from '../http/service/http-service.ts';
import { findOnMachine } from '../models/model-registry.ts';
import { createFolderProof } from './monitoring/folder-proof.ts';
import { nameModels } from './monitoring/build-monitoring.ts';
import { createTokenSearch } from '../oauth/authorization-server/access-token-owner.ts';
import { createTriggerSecrets } from '../work/triggers/trigger-secrets.ts';
import { clearWorkspaces } from '../work/instance/clear-folder.ts';
import type { Services } from './build-services.ts';
import { createBrandService } from './brand-service.ts';
import { buildSsoParts } from './build-sso.ts';
import { createAccountArchives } from './account-archive/account-archives.ts';
import { describeNotifications } from './channels/build-notifications.ts';
import { buildSignInMail } from './channels/build-sign-in-mail.ts';
import { AccountModelKeys } from './models/model-key-service.ts';
import { createOwnDial } from './models/own-models.ts';
import { ModelSettingsService } from './models/model-settings-service.ts';
import type { Stores } from './open-stores.ts';
import type { Runtime } from './runtime.ts';

/** The rate limiter: in memory for an embedded store, which belongs to this process alone; otherwise shared. Null if limits are off. */
function openLimiter({ config, clock }: Runtime, { database, isAlone }: Stores): RateLimiter | null {
  const rates = ratesOf(config.rateLimits);
  if (rates === null) return null;
  return isAlone ? new OwnRateLimiter(clock, rates) : new SharedRateLimiter(database, clock, rates);
}

/** With several processes, one that runs a task could be writing to the folder that another is replacing. */
function neverNeeded(): Fault {
  const problem = 'With PostgreSQL, workspaces need not be unpacked: every version restores them from their copies.';
  return new Fault('failed_precondition', problem);
}

/** The workspaces of tasks on this machine, for those who look into them; packed ones are unpacked. */
function createWorkspaceFiles({ log }: Runtime, { database, workspaces, keeper, isAlone }: Stores) {
  const open = async (accountId: string, taskId: string) => {
    await keeper.unpack({ accountId, taskId });
    return workspaces.open(accountId, taskId);
  };
  return {
    list: async (accountId: string, taskId: string) => (await open(accountId, taskId)).list('', 10_000),
    read: async (accountId: string, taskId: string, path: string) => (await open(accountId, taskId)).read(path),
    unpack: async (accountId: string, taskId: string) => {
      if (!isAlone) throw neverNeeded();
      await keeper.unpack({ accountId, taskId });
    },
    clear: (accountId: string, taskId: string) => clearWorkspaces({ database, workspaces, log }, [{ accountId, taskId }]),
  };
}

/** Loads what draws with the first picture: most processes never draw one. */
function deferSharePictures(blobs: Blobs, clock: Clock): SharePictures {
  let opening: Promise<SharePictures> | null = null;
  const open = () => import('./share-pictures.ts').then(({ openSharePictures }) => openSharePictures(blobs, clock));
  return { draw: async (task) => (await (opening ??= open())).draw(task) };
}

/** Everything that answers over HTTP. */
export function buildServers(runtime: Runtime, stores: Stores, services: Services): HttpService {
  const { config, clock, log, gauge, metrics, memory } = runtime;
  const { database, box, blobs, contentKey, isAlone } = stores;
  const { httpClient, pdfConversion, webhooks, credits, toolServices } = services;
  const { acceptsPasswords, sessionMs, drainMs } = config;
  const { sharesPorts, host, port, publicUrl, contentPort, contentUrl, previewUrl, headerFamilies, trustedProxies, corsOrigins } =
    config;
  const controlSocket = isAlone ? join(config.dataDir, 'control.sock') : null;
  return buildHttp({
    ...{ database, clock, log, gauge, metrics, memory, blobs, contentKey, httpClient, pdfConversion },
    sharePictures: deferSharePictures(blobs, clock),
    settings: {
      sharesPorts,
      host,
      port,
      publicUrl,
      contentPort,
      contentUrl,
      previewUrl,
      headerFamilies,
      trustedProxies,
      corsOrigins,
      controlSocket,
      drainMs,
    },
    signIn: { acceptsPasswords, sessionMs, sso: buildSsoParts(config, httpClient, box, clock), mail: buildSignInMail(runtime) },
    limiter: openLimiter(runtime, stores),
    findTokenOwner: createTokenSearch(database, clock),
    activeModels: () => nameModels(runtime),
    proveFiles: createFolderProof(config.dataDir),
    handlerServices: {
      webhooks: webhooks.service,
      skills: toolServices.skillService,
      brands: createBrandService(blobs, clock),
      connectors: toolServices.connectorService,
      triggerSecrets: createTriggerSecrets(box),
      notifications: describeNotifications(runtime, stores),
      mailDomain: config.mail?.domain ?? null,
      watchRoots: config.watchRoots,
      hasOpenings: config.outboundAllow.length > 0,
      hasTeamSignUp: config.hasTeamSignUp,
      usualRunningTasks: config.accountRunningTasks,
      passwords: new Passwords(),
      credits,
      seal: box,
      models: new ModelSettingsService({ database, clock, box, ...runtime.models, findLocal: () => findOnMachine(clock) }),
      modelKeys: new AccountModelKeys({
        ...{ database, clock, box, environment: runtime.models.environment, dial: createOwnDial(config, clock) },
        ...{ allow: config.outboundAllow, isAccepting: config.acceptsModelKeys },
      }),
      accountArchives: createAccountArchives(runtime, stores),
      channel: stores.channel,
      storageLimit: config.storage.account,
      workspaceFiles: createWorkspaceFiles(runtime, stores),
    },
  });
}
