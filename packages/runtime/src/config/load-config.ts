import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { isSecretName } from './secret-name.ts';
import { findTrialOnly } from './trial-only.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a service's settings from the environment. Throws one ConfigError that lists every problem, without secrets.
 * An empty variable counts as absent, since compose and shells pass empty ones on. A secret may come from a file:
 * `DATABASE_URL_FILE=/run/secrets/url` stands for `DATABASE_URL`.
 */
export function loadConfig<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
): z.output<z.ZodObject<Shape>> {
  const problems: ConfigProblem[] = [];
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const setting = readSetting(name, environment, problems);
    if (setting !== undefined) given[name] = setting;
  }
  problems.push(...findTrialOnly(given, (name) => name in schema.shape, environment));
  const parsed = schema.safeParse(given);
  if (parsed.success && problems.length === 0) return parsed.data;
  const unread = new Set(problems.map((problem) => problem.name));
  const refused = (parsed.error?.issues ?? []).map((issue) => toProblem(toRefused(schema, issue, given)));
  throw new ConfigError([...problems, ...refused.filter(({ name }) => !unread.has(name))]);
}

function toRefused(schema: z.ZodObject, issue: z.core.$ZodIssue, given: Refused['given']): Refused {
  const name = String(issue.path[0] ?? '');
  const { [name]: setting } = schema.shape as Readonly<Record<string, z.ZodType>>; // zod's type says any
  const allowed = issue.code === 'custom' ? undefined : describeAllowed(setting); // a rule of our own has its own words
  return { name, message: allowed ?? issue.message, given };
}

function readSetting(name: string, environment: Environment, problems: ConfigProblem[]): string | undefined {
  const value = environment[name];
  const file = environment[`${name}_FILE`];
  if (value !== undefined && value !== '') return value;
  if (file === undefined || file === '' || !isSecretName(name)) return undefined;
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    problems.push({ name, message: `the file named by ${name}_FILE cannot be read (${codeOf(error)})` });
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown reason';
}

interface Refused {
  readonly name: string;
  readonly message: string;
  readonly given: Readonly<Record<string, string>>;
}

/** A message may quote the value that it refuses. So every secret is cut out of it, not only its own. */
function toProblem({ name, message, given }: Refused): ConfigProblem {
  const value = given[name];
  if (value === undefined && name !== '') return { name, message: 'is required' };
  const shown = value === undefined || isSecretName(name) ? '' : ` (it is ${JSON.stringify(value)})`;
  return { name: name === '' ? 'settings' : name, message: withoutSecrets(message, given) + shown };
}

function withoutSecrets(message: string, given: Readonly<Record<string, string>>): string {
  const secrets = Object.keys(given)
    .filter(isSecretName)
    .flatMap((name) => given[name] ?? []);
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '[redacted]'), message);
}

/** Says which values a setting takes, if its schema is a number or an enumeration; undefined for other schemas. */
function describeAllowed(schema: z.core.$ZodType | undefined): string | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return describeAllowed(schema.unwrap());
  if (schema instanceof z.ZodEnum) return `must be ${schema.options.join(' or ')}`;
  if (!(schema instanceof z.ZodNumber)) return undefined;
  const { minValue, maxValue } = schema;
  return `must be a ${schema.format === null ? '' : 'whole '}number from ${minValue} to ${maxValue}`;
}
