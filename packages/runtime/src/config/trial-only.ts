import type { ConfigProblem } from './config-error.ts';
import { isSecretName } from './secret-name.ts';

/** The secrets that docker-compose.yml has for trials. Everybody knows them. */
export const publishedSecrets: readonly string[] = ["only for trials on a machine of one's own", 'tollgate'];

export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
}

/**
 * Finds the settings that are for trials alone: a published secret, and in an image (NODE_ENV=production) a sandbox
 * that nobody asked for. A trial moves no money, and either strangers cannot reach it or somebody says
 * TOLLGATE_TRIAL=1.
 */
export function findTrialOnly(
  given: Readonly<Record<string, string>>,
  isSetting: (name: string) => boolean,
  environment: Readonly<Record<string, string | undefined>>,
): ConfigProblem[] {
  const processor = environment['PROCESSOR'] || 'sandbox';
  const isTrial = environment['TOLLGATE_TRIAL'] === '1';
  const problems: ConfigProblem[] = [];
  if (isSetting('PROCESSOR') && !environment['PROCESSOR'] && environment['NODE_ENV'] === 'production' && !isTrial)
    problems.push({ name: 'PROCESSOR', message: askForProcessor });
  if (processor === 'sandbox' && (isTrial || isLoopback(environment['HOST'] ?? ''))) return problems;
  const published = Object.entries(given).filter(
    ([name, value]) => isUsed(name, processor) && isPublished(name, value),
  );
  return [...problems, ...published.map(([name]) => ({ name, message: publishedMessage }))];
}

const askForProcessor =
  'must be given in an image: stripe, or sandbox, which moves no money. For a trial, set TOLLGATE_TRIAL=1';
const publishedMessage =
  'is a secret that everybody can read in docker-compose.yml; set one of your own. For a trial with PROCESSOR=sandbox, set TOLLGATE_TRIAL=1';

function isUsed(name: string, processor: string): boolean {
  return isSecretName(name) && (processor === 'sandbox' || name !== 'SANDBOX_WEBHOOK_SECRET');
}

function isPublished(name: string, value: string): boolean {
  if (!name.endsWith('URL')) return publishedSecrets.includes(value);
  const password = URL.parse(value)?.password ?? '';
  return publishedSecrets.some((secret) => password === secret || password === encodeURIComponent(secret));
}
