/**
 * The arrows of ARCHITECTURE.md, checked: kernel ← contracts ← pricing, kernel ← telemetry ← database ← runtime ← event-log, database ← key-archive, packages
 * ← services, testkit ← tests only. `$1` in a `pathNot` is the folder that the rule's `from.path` caught.
 */
const test = String.raw`\.(test|contract)\.ts$|^(packages|services)/[^/]+/test/`;
const sources = '^(packages|services)/';

/** A rule: files under `from` (without tests) must not import what `to` describes. */
function forbid(name, comment, { from, except = [], to }) {
  return { name, comment, severity: 'error', from: { path: from, pathNot: [test, ...except] }, to };
}

const packageArrows = [
  forbid('kernel-imports-nothing', 'kernel is pure values: node:crypto, itself, and the types of node:http.', {
    from: '^packages/kernel/',
    to: { pathNot: ['^packages/kernel/', '^(node:)?(crypto|http)$'] },
  }),
  forbid('contracts-see-kernel', 'contracts know kernel and zod.', {
    from: '^packages/contracts/',
    to: { pathNot: ['^packages/(contracts|kernel)/', '^(node:)?crypto$', '/node_modules/zod/'] },
  }),
  forbid('pricing-is-pure', 'pricing knows kernel and contracts: no machine, no clock.', {
    from: '^packages/pricing/',
    to: { pathNot: ['^packages/(pricing|contracts|kernel)/'] },
  }),
  forbid('telemetry-sees-kernel', 'Of the workspace, telemetry knows the kernel alone.', {
    from: '^packages/telemetry/',
    to: { path: '^(packages/(?!telemetry|kernel)|services/)' },
  }),
  forbid(
    'sdk-of-telemetry-is-loaded-last',
    'Code traces by the API of OpenTelemetry. Only a process that sends loads its SDK.',
    {
      from: sources,
      except: ['^packages/telemetry/', '^packages/runtime/src/metrics/open-telemetry\\.ts$'],
      to: {
        path: ['^packages/telemetry/src/start-telemetry\\.ts$', '/node_modules/@opentelemetry/(?!api/)'],
      },
    },
  ),
  forbid('database-sees-kernel', 'Of the workspace, database knows the kernel and telemetry alone.', {
    from: '^packages/database/',
    to: { path: '^(packages/(?!database|kernel|telemetry)|services/)' },
  }),
  forbid('key-archive-sees-database', 'Of the workspace, archives of keys know the database and the kernel.', {
    from: '^packages/key-archive/',
    to: { path: '^(packages/(?!key-archive|database|kernel)|services/)' },
  }),
  forbid('sdk-imports-nothing', 'The SDK is installed alone: at run time it needs the platform and nothing else.', {
    from: '^packages/sdk/',
    to: { pathNot: ['^packages/sdk/', '^(node:)?[a-z_/]+$'] },
  }),
  forbid(
    'cli-starts-standalone',
    'The command line calls the API by the SDK, starts standalone and the MCP proxy; besides these it knows the kernel.',
    {
      from: '^packages/cli/',
      to: {
        path: '^(packages|services)/',
        pathNot: [
          '^packages/(cli|sdk|mcp|kernel)/',
          '^services/standalone/src/(run-cli|run-standalone|start-talking)\\.ts$',
        ],
      },
    },
  ),
  forbid('console-sees-the-sdk', 'The console is a program of browsers: of the workspace it knows the SDK alone.', {
    from: '^packages/console/',
    to: { path: '^(packages|services)/', pathNot: '^packages/(console|sdk)/' },
  }),
  forbid('runtime-knows-no-log', 'The event log stands on runtime, never the other way round.', {
    from: '^packages/runtime/',
    to: { path: '^packages/event-log/' },
  }),
  forbid(
    'packages-know-no-service',
    'packages serve services, never the other way round; the command line starts them.',
    {
      from: '^packages/',
      except: ['^packages/cli/'],
      to: { path: '^services/' },
    },
  ),
  forbid('testkit-is-for-tests', 'what runs in production is not in testkit.', {
    from: sources,
    except: ['^packages/testkit/'],
    to: { path: '^packages/testkit/' },
  }),
];

const serviceArrows = [
  {
    name: 'services-never-import-services',
    comment: 'Services share the log and the database, nothing else. Only standalone hosts them.',
    severity: 'error',
    from: { path: '^services/([^/]+)/', pathNot: '^services/standalone/' },
    to: { path: '^services/', pathNot: '^services/$1/' },
  },
  {
    name: 'standalone-hosts-services',
    comment: 'standalone knows of a service what its main.ts knows, and what it does for commands of the operator.',
    severity: 'error',
    from: { path: '^services/standalone/' },
    to: {
      path: '^services/',
      pathNot: ['^services/standalone/', '^services/[^/]+/src/(service|config|operator)\\.ts$'],
    },
  },
  forbid('nobody-imports-main', 'main.ts starts a process; importing it would too.', {
    from: sources,
    to: { path: '^services/[^/]+/src/main\\.ts$' },
  }),
];

/** The folders below `parent`, lowest first: each imports itself and those before it. Files beside the folders see all of them. */
function inOrder(parent, folders, { always = '', except = [] } = {}) {
  const comment = `A folder of ${parent} imports itself and the folders before it${always && ', and config.ts'}.`;
  return folders.map((folder, place) =>
    forbid(`${parent.split('/')[1]}-in-order`, comment, {
      from: `^${parent}/${folder}/`,
      except,
      to: { path: `^${parent}/`, pathNot: `^${parent}/((${folders.slice(0, place + 1).join('|')})/${always})` },
    }),
  );
}

const moduleOrder = (service, modules) =>
  inOrder(`services/${service}/src`, modules, { always: String.raw`|config\.ts$` });

const contractRooms = [
  'forms',
  'routes',
  'events',
  'spending',
  'tools',
  'accounts',
  'money',
  'sandbox',
  'operator',
  'webhooks',
  'operation',
  'openapi',
];

const packageFolders = [
  // The table of routes gathers them from all rooms.
  ...inOrder('packages/contracts/src', contractRooms, { except: ['/routes/routes\\.ts$'] }),
  ...inOrder('packages/runtime/src', [
    'config',
    'data-folder',
    'logging',
    'timing',
    'lifecycle',
    'sandbox-clock',
    'limits',
    'http',
    'metrics',
    'audit',
    'auth',
    'jobs',
    'pages',
    'nest',
  ]),
  ...inOrder('packages/runtime/src/http', ['requests', 'answers', 'idempotency', 'lists', 'serving']),
];

const moduleArrows = [
  ...moduleOrder('ingest-gateway', [
    'tools',
    'passes',
    'submissions',
    'gate',
    'keys',
    'shared-memory',
    'recording',
    'reading',
    'dead-letters',
    'edge',
  ]),
  ...moduleOrder('auth', [
    'audit',
    'letters',
    'signing-keys',
    'sessions',
    'accounts',
    'second-factor',
    'mail-links',
    'device-login',
    'oauth',
    'approvals',
    'api-keys',
    'sweep',
  ]),
  ...moduleOrder('notifier', ['events', 'endpoints', 'deliveries', 'mail', 'relay']),
  // In the order of the money.
  ...moduleOrder('billing', [
    'ledger',
    'fees',
    'catalogue',
    'processor',
    'usage',
    'forecast',
    'invoicing',
    'balance',
    'collection',
    'refunds',
    'payouts',
    'audit',
    'trace',
    'operate',
  ]),
];

const pureFiles = [
  forbid('plans-are-pure', 'A plan computes: the same facts, the same plan. No statement, no database, no clock.', {
    from: '/src/.*/plan-[^/]+\\.ts$',
    to: {
      path: ['/sql-[^/]+\\.ts$', '^packages/(database|runtime)/', '^packages/kernel/src/clock\\.ts$', '/node_modules/'],
    },
  }),
  forbid('statements-know-no-caller', 'A statement knows the rows that it reads and writes, not who runs it.', {
    from: '/src/.*/sql-[^/]+\\.ts$',
    to: { path: ['\\.controller\\.ts$', '/src/(service|config|main)\\.ts$'] },
  }),
];

const homes = [
  forbid(
    'zod-at-the-edge',
    'Parse at the edge, trust inside: zod lives in contracts, in config, and where requests are read.',
    {
      from: sources,
      except: [
        '^packages/contracts/',
        '^packages/runtime/src/(http|config)/',
        '/src/config\\.ts$',
        '/src/(edge|nest)/',
        '/(read-form|[a-z-]+-cursors?)\\.ts$',
      ],
      to: { path: '/node_modules/zod/' },
    },
  ),
  forbid('prisma-in-the-catalogue', "Prisma is a client inside billing's catalogue; its types never leave it.", {
    from: `${sources}|^(e2e|bench)/`,
    except: ['^services/billing/src/catalogue/', '^services/billing/prisma\\.config\\.ts$'],
    to: { path: ['/node_modules/(@prisma/|prisma/)', 'prisma-client/'] },
  }),
  forbid(
    'nest-at-the-edge',
    'Nest stays in controllers, guards, filters and transports, and where service.ts composes them.',
    {
      from: sources,
      except: [
        '^packages/runtime/src/nest/',
        '^services/[^/]+/src/(edge/|service\\.ts$)',
        '/src/.*[.-](controller|guard|transport|consumer)\\.ts$',
      ],
      to: { path: '/node_modules/@nestjs/' },
    },
  ),
  forbid('pg-in-database', 'Connections to PostgreSQL are made in packages/database alone.', {
    from: '^services/',
    except: [],
    to: { path: '/node_modules/(pg|pg-copy-streams)/' },
  }),
];

const hygiene = [
  {
    name: 'no-cycles',
    comment: 'A cycle is a file that nobody can read first.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'not-to-tests',
    comment: 'Tests are read by the test runner alone.',
    severity: 'error',
    from: { pathNot: [test, '^packages/testkit/', '^e2e/'] },
    to: { path: test },
  },
  {
    name: 'no-barrels',
    comment: 'Packages export subpaths; an index hides who depends on what.',
    severity: 'error',
    from: {},
    to: { path: '^(packages|services)/.*/index\\.ts$', pathNot: 'prisma-client/' },
  },
  {
    name: 'resolvable',
    comment: 'An import that nothing answers breaks at run time.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  forbid(
    'no-dev-dependencies',
    'What runs in production is in dependencies; the console has all that it needs inside.',
    {
      from: '^(packages|services)/[^/]+/src/',
      except: ['^packages/(testkit|console)/'],
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm-peer'] },
    },
  ),
];

export default {
  forbidden: [
    ...packageArrows,
    ...packageFolders,
    ...serviceArrows,
    ...moduleArrows,
    ...pureFiles,
    ...homes,
    ...hygiene,
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'prisma-client/'] },
    exclude: { path: ['/dist/', '/coverage/'] },
    // Types are dependencies too: Prisma's outside the catalogue would be a leak that no emitted file shows.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['@tollgate/source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
    },
  },
};
