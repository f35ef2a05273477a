import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/config/settings.ts';

const chart = fileURLToPath(new URL('../../deploy/helm/errand', import.meta.url));
const renderer = fileURLToPath(new URL('../support/helm/render.go', import.meta.url));
const readFile = (name: string) => readFileSync(join(chart, name), 'utf8');
const templates = readdirSync(join(chart, 'templates')).toSorted();
const values = parse(readFile('values.yaml')) as Record<string, object>;
const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(JSON.parse(readFile('values.schema.json')) as object);

/** Debian's golang-go and golang-github-masterminds-sprig-dev: the engine of Helm, which Debian does not have. */
const goPath = '/usr/share/gocode';
const canRender = spawnSync('go', ['version']).status === 0 && existsSync(`${goPath}/src/github.com/Masterminds/sprig`);
if (!canRender && process.env.CI) throw new Error('missing: golang-go, golang-github-masterminds-sprig-dev (apt-get install)');

interface Pod {
  hostUsers?: boolean;
  securityContext: object;
  containers: {
    image: string;
    args: string[];
    env: { name: string; value: string }[];
    securityContext: Record<string, unknown>;
  }[];
}

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  spec: {
    replicas?: number;
    selector?: { matchLabels: object };
    template?: { metadata: { labels: object }; spec: Pod };
    rules?: { host: string }[];
  };
}

/** The resources of the chart, with some values replaced. */
function render(changes: Record<string, object | string> = {}): Resource[] {
  const { version, appVersion } = parse(readFile('Chart.yaml')) as Record<string, string>;
  const given = { ...values, ...changes };
  expect([isValid(given), isValid.errors]).toEqual([true, null]);
  const scope = {
    Values: given,
    Chart: { Version: version, AppVersion: appVersion },
    Release: { Name: 'mine', Namespace: 'agents', Service: 'Helm' },
  };
  const files = Object.fromEntries(templates.map((name) => [name, readFile(`templates/${name}`)]));
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: goPath };
  const output = execFileSync('go', ['run', renderer], { input: JSON.stringify({ Files: files, Scope: scope }), env });
  const rendered = JSON.parse(output.toString()) as Record<string, string>;
  return templates
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(rendered[name] ?? ''))
    .flatMap((document) => {
      if (!('toJS' in document)) return [];
      expect(document.errors).toEqual([]);
      const resource = document.toJS() as Resource | null;
      return resource === null ? [] : [resource];
    });
}

describe('the Helm chart', () => {
  it('has values that its schema accepts, and a schema that refuses others', () => {
    expect([isValid(values), isValid.errors]).toEqual([true, null]);
    for (const wrong of [
      { ...values, replicas: 3 },
      { ...values, publicUrl: 'errand.example.com' },
      { ...values, settings: { MODEL: 'x' } },
      { ...values, worker: { ...values['worker'], replicas: 0 } },
    ]) {
      expect(isValid(wrong)).toBe(false);
    }
  });

  it('uses only values that values.yaml has, and sets only settings that the service knows', () => {
    for (const name of templates) {
      const text = readFile(`templates/${name}`);
      for (const [whole, place = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) {
        const found = place.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], values);
        expect([name, whole, found === undefined]).toEqual([name, whole, false]);
      }
      for (const [, setting = ''] of text.matchAll(/name: (ERRAND_\w+)/g)) expect(settings).toHaveProperty(setting);
    }
  });

  it('has the version of the service', () => {
    const { version } = JSON.parse(readFileSync(join(chart, '../../../package.json'), 'utf8')) as { version: string };
    expect(parse(readFile('Chart.yaml'))).toMatchObject({ version, appVersion: version });
    expect(values['image']).toMatchObject({ tag: version });
  });

  it.runIf(canRender)('renders two processes of the API and two workers, confined, with their service', () => {
    const resources = render({ settings: { ERRAND_TASK_STEPS: 100, ERRAND_LOG: 'warn' } });
    expect(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Deployment mine-api',
      'Service mine-api',
      'PodDisruptionBudget mine-api',
      'Deployment mine-worker',
      'PodDisruptionBudget mine-worker',
    ]);
    for (const { spec } of resources.filter(({ kind }) => kind === 'Deployment')) {
      const { metadata, spec: pod } = spec.template ?? {};
      expect(spec).toMatchObject({ replicas: 2 });
      expect(metadata?.labels).toMatchObject(spec.selector?.matchLabels ?? { 'app.kubernetes.io/name': 'missing' });
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000 },
      });
      const [container] = pod?.containers ?? [];
      expect(container?.image).toBe('registry.example.com/errand:0.1.0');
      expect(container?.env).toContainEqual({ name: 'ERRAND_TASK_STEPS', value: '100' });
      expect(container?.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it.runIf(canRender)('gives only workers with a sandbox what that needs', () => {
    const findPod = (resources: Resource[], name: string) =>
      resources.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)?.spec.template?.spec;
    const usual = render();
    expect(findPod(usual, 'mine-worker')).toMatchObject({
      hostUsers: false,
      containers: [{ securityContext: { procMount: 'Unmasked', seccompProfile: { type: 'Unconfined' } } }],
    });
    for (const pod of [
      findPod(usual, 'mine-api'),
      findPod(render({ worker: { ...values['worker'], sandbox: false } }), 'mine-worker'),
    ]) {
      expect(pod?.hostUsers).toBeUndefined();
      expect(JSON.stringify(pod)).not.toMatch(/Unmasked|Unconfined/);
    }
  });

  it.runIf(canRender)('renders an ingress for both hosts, and an image by its digest', () => {
    const resources = render({
      ingress: { ...values['ingress'], enabled: true, className: 'nginx', annotations: { a: 'b' }, tlsSecret: 'certificate' },
      image: { ...values['image'], digest: `sha256:${'a1'.repeat(32)}`, pullSecrets: [{ name: 'registry' }] },
      api: { ...values['api'], trustedProxies: '10.0.0.0/8' },
    });
    const ingress = resources.find(({ kind }) => kind === 'Ingress');
    expect(ingress?.spec.rules?.map(({ host }) => host)).toEqual(['errand.example.com', 'errand-content.example.com']);
    expect(ingress?.spec).toMatchObject({ ingressClassName: 'nginx', tls: [{ secretName: 'certificate' }] });
    const [api] = resources;
    const [container] = api?.spec.template?.spec.containers ?? [];
    expect(container?.image).toMatch(/^registry\.example\.com\/errand:0\.1\.0@sha256:(a1){32}$/);
    expect(container?.env).toContainEqual({ name: 'ERRAND_TRUSTED_PROXIES', value: '10.0.0.0/8' });
  });
});
