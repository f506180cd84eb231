export interface Violation {
  /** The step prints it on the same line as the file. Empty for a step with one rule. */
  readonly rule: string;
  readonly file: string;
  readonly code: string;
}

const module = 'services/billing/src/ledger';
const kernel = 'packages/kernel/src';
const jestImport = "import { expect, it } from '@jest/globals';\n";
const useOfType = 'export type A = Clock;';
const unawaited = 'export function planted(work: Promise<void>): void {\n  work;\n}\n';

export const formatViolations: readonly Violation[] = [
  { rule: '', file: `${kernel}/planted-format.ts`, code: 'export const planted={a:1}' },
];

export const lintViolations: readonly Violation[] = [
  lint('tollgate(restricted-syntax)', 'date-now', 'export const planted = Date.now();'),
  lint('tollgate(restricted-syntax)', 'new-date', 'export const planted = new Date();'),
  lint('tollgate(restricted-syntax)', 'performance', 'export const planted = performance.now();'),
  lint('tollgate(restricted-syntax)', 'barrel', "export * from './planted-date-now.ts';"),
  lint('tollgate(timing)', 'timer', 'export const planted = setTimeout(() => undefined, 1);'),
  lint('tollgate(timing)', 'interval', 'export const planted = setInterval(() => undefined, 1);'),
  lint('tollgate(timing)', 'race', 'export const planted = Promise.race([Promise.resolve(1)]);'),
  inKernel('tollgate(timing)', 'race', 'export const planted = Promise.race([Promise.resolve(1)]);'),
  lint('tollgate(todo-has-issue)', 'todo', `// ${'TO'}DO later\nexport const planted = 1;`),
  lint('node(no-process-env)', 'environment', "export const planted = process.env['HOME'];"),
  lint('typescript(no-floating-promises)', 'floating', unawaited),
  lint('typescript(no-misused-promises)', 'misused', 'export const planted = [1].filter(async () => true);'),
  lint('typescript(no-explicit-any)', 'any', 'export const planted = (value: any): string => String(value);'),
  lint('typescript(no-unsafe-assignment)', 'unsafe', "export const planted: number = JSON.parse('1');"),
  lint('typescript(no-non-null-assertion)', 'bang', 'export const planted = (list: string[]) => list[0]!;'),
  lint('typescript(switch-exhaustiveness-check)', 'switch', oneSidedSwitch()),
  lint('typescript(consistent-type-imports)', 'type', `import { Clock } from '@tollgate/kernel/clock';\n${useOfType}`),
  lint('eslint(max-params)', 'params', 'export const planted = (a: 1, b: 2, c: 3, d: 4) => [a, b, c, d];'),
  lint('eslint(max-lines-per-function)', 'long', `export function planted() {\n${'  //\n'.repeat(70)}}`),
  lint('eslint(max-lines)', 'lines', `${'//\n'.repeat(400)}export const planted = 1;`),
  lint('eslint(complexity)', 'complex', `export const planted = (a: boolean) => ${'a || '.repeat(10)}a;`),
  inKernel('typescript(no-floating-promises)', 'floating.test', unawaited),
  inKernel('jest(expect-expect)', 'empty.test', `${jestImport}it('asserts nothing', () => {});`),
  inKernel('jest(no-focused-tests)', 'focused.test', `${jestImport}it.only('runs', () => { expect(1).toBe(1); });`),
];

export const typeViolations: readonly Violation[] = [
  { rule: 'TS2322', file: `${kernel}/planted-type.ts`, code: "export const planted: number = 'text';" },
  { rule: 'TS2322', file: 'e2e/planted-type.int.test.ts', code: "export const planted: number = 'text';" },
];

/** One for each rule of .dependency-cruiser.js. */
export const arrowViolations: readonly Violation[] = [
  arrow('kernel-imports-nothing', kernel, 'node:fs'),
  arrow('contracts-see-kernel', 'packages/contracts/src', 'node:fs'),
  arrow('packages-know-no-service', 'packages/runtime/src', '../../../services/auth/src/config.ts'),
  arrow('console-sees-the-sdk', 'packages/console/src', '../../kernel/src/money.ts'),
  arrow('testkit-is-for-tests', 'services/auth/src/accounts', '@tollgate/testkit/eventually'),
  arrow('services-never-import-services', 'services/auth/src/accounts', '../../../billing/src/config.ts'),
  arrow('standalone-hosts-services', 'services/standalone/src', '../../billing/src/ledger/planted-date-now.ts'),
  arrow('ingest-gateway-in-order', 'services/ingest-gateway/src/tools', '../edge/limit-rate.ts'),
  arrow('nobody-imports-main', 'services/auth/src/accounts', '../main.ts'),
  arrow('notifier-in-order', 'services/notifier/src/events', '../endpoints/endpoint.ts'),
  arrow('auth-in-order', 'services/auth/src/signing-keys', '../sessions/plan-refresh.ts'),
  arrow('pricing-is-pure', 'packages/pricing/src', 'node:fs'),
  arrow('key-archive-sees-database', 'packages/key-archive/src', '../../runtime/src/lifecycle/combine.ts'),
  arrow('telemetry-sees-kernel', 'packages/telemetry/src', '../../contracts/src/forms/slug.ts'),
  arrow('sdk-of-telemetry-is-loaded-last', 'packages/runtime/src/http/serving', '@tollgate/telemetry/start-telemetry'),
  arrow('database-sees-kernel', 'packages/database/src', '../../runtime/src/lifecycle/combine.ts'),
  arrow('sdk-imports-nothing', 'packages/sdk/src', '../../kernel/src/clock.ts'),
  arrow('cli-starts-standalone', 'packages/cli/src', '../../runtime/src/lifecycle/combine.ts'),
  arrow('runtime-knows-no-log', 'packages/runtime/src', '../../event-log/src/event-log.ts'),
  arrow('contracts-in-order', 'packages/contracts/src/forms', '../money/usage.ts'),
  arrow('runtime-in-order', 'packages/runtime/src/http/requests', '../../auth/bearer-token.ts'),
  arrow('billing-in-order', module, '../fees/fee.ts'),
  { rule: 'error plans-are-pure:', file: `${module}/plan-planted.ts`, code: "import './sql-planted.ts';" },
  { rule: 'error statements-know-no-caller:', file: `${module}/sql-planted.ts`, code: "import '../config.ts';" },
  arrow('zod-at-the-edge', module, 'zod'),
  arrow('prisma-in-the-catalogue', module, '@prisma/client'),
  arrow('nest-at-the-edge', module, '@nestjs/common'),
  arrow('pg-in-database', module, '../../../../packages/database/node_modules/pg/lib/index.js'),
  // The step names one file of a cycle with the rule, and the others on the lines below.
  arrow('no-cycles', module, './planted-round.ts'),
  { rule: '', file: `${module}/planted-round.ts`, code: "import './planted-no-cycles.ts';" },
  arrow('not-to-tests', kernel, './planted-floating.test.ts'),
  arrow('no-barrels', module, './index.ts'),
  arrow('resolvable', module, './planted-nowhere.ts'),
  arrow('no-dev-dependencies', module, 'prisma/config'),
];

export const deadFileViolations: readonly Violation[] = [
  { rule: '', file: `${module}/index.ts`, code: 'export const planted = 1;' },
];

export const deadExportViolations: readonly Violation[] = [
  { rule: 'plantedDead', file: `${kernel}/planted-dead-export.ts`, code: 'export const plantedDead = 1;' },
];

function inKernel(rule: string, name: string, code: string): Violation {
  return { rule, file: `${kernel}/planted-${name}.ts`, code };
}

function lint(rule: string, name: string, code: string): Violation {
  return { rule, file: `${module}/planted-${name}.ts`, code };
}

/** The rule as dependency-cruiser prints it, since the file's name contains the bare rule. */
function arrow(rule: string, folder: string, target: string): Violation {
  return { rule: `error ${rule}:`, file: `${folder}/planted-${rule}.ts`, code: `import '${target}';` };
}

function oneSidedSwitch(): string {
  return "export function planted(side: 'left' | 'right'): void {\n  switch (side) {\n    case 'left':\n      break;\n  }\n}";
}
