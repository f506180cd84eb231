/**
 * The arrows of ARCHITECTURE.md, checked: kernel ← contracts ← runtime ← services, testkit ← tests only, and inside a
 * service everything points at domain/. `$1` in a `pathNot` is the folder that the rule's `from.path` caught.
 */
const test = String.raw`\.(test|contract)\.ts$|/src/testing/`;
const sources = '^(packages|services)/';

/** A rule: files under `from` (without tests) must not import what `to` describes. */
function forbid(name, comment, { from, except = [], to }) {
  return { name, comment, severity: 'error', from: { path: from, pathNot: [test, ...except] }, to };
}

const packageArrows = [
  forbid('kernel-imports-nothing', 'kernel is pure values: node:crypto and itself.', {
    from: '^packages/kernel/',
    to: { pathNot: ['^packages/kernel/', '^(node:)?crypto$'] },
  }),
  forbid('contracts-see-kernel', 'contracts know kernel and zod.', {
    from: '^packages/contracts/',
    to: { pathNot: ['^packages/(contracts|kernel)/', '^(node:)?crypto$', '/node_modules/zod/'] },
  }),
  forbid('packages-know-no-service', 'packages serve services, never the other way round.', {
    from: '^packages/',
    to: { path: '^services/' },
  }),
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

const inwardArrows = [
  // Of node it may use what computes: hashes, and whether a text is an address (net.isIP).
  forbid('domain-decides', 'domain/ is functions over plain values: kernel, contracts, the types of a shared port.', {
    from: '^services/([^/]+)/src/domain/',
    to: {
      pathNot: [
        '^services/$1/src/domain/',
        '^packages/(kernel|contracts)/',
        '^packages/runtime/src/event-log/event-log\\.ts$',
        '^(node:)?(crypto|net)$',
      ],
    },
  }),
  forbid('app-orchestrates', 'app/ sees domain/ and ports; adapters and ways in are handed to it by service.ts.', {
    from: '^services/([^/]+)/src/app/',
    to: { path: '^services/$1/src/(adapters|http|consumer|jobs|service|config|main)' },
  }),
  forbid('only-service-sees-adapters', 'Only service.ts calls constructors of adapters.', {
    from: '^services/([^/]+)/src/',
    except: ['^services/[^/]+/src/(adapters/|service\\.ts$)'],
    to: { path: '^services/$1/src/adapters/' },
  }),
  forbid('adapters-point-inward', 'An adapter knows the port that it fills, not who calls it.', {
    from: '^services/([^/]+)/src/(adapters|sql)/',
    to: { path: '^services/$1/src/(http|consumer|jobs|service|main)' },
  }),
];

const homes = [
  forbid('zod-at-the-edge', 'Parse at the edge, trust inside: zod lives in contracts, http/ and config.', {
    from: sources,
    except: ['^packages/contracts/', '/src/http/', '/src/config/', '/src/config\\.ts$'],
    to: { path: '/node_modules/zod/' },
  }),
  forbid('prisma-in-billing-adapters', "Prisma is a client inside billing's adapters; its types never leave them.", {
    from: `${sources}|^(e2e|bench)/`,
    except: ['^services/billing/src/adapters/', '^services/billing/prisma\\.config\\.ts$'],
    to: { path: ['/node_modules/(@prisma/|prisma/)', 'prisma-client/'] },
  }),
  forbid('nest-at-the-edge', 'Nest stays in http/ and consumer/, and where service.ts composes them.', {
    from: sources,
    except: ['^services/[^/]+/src/(http/|consumer/|service\\.ts$)'],
    to: { path: '/node_modules/@nestjs/' },
  }),
  forbid('pg-in-runtime', 'Connections to PostgreSQL are made in runtime alone.', {
    from: '^services/',
    except: ['^services/billing/src/adapters/'],
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
  forbid('no-dev-dependencies', 'What runs in production is in dependencies.', {
    from: '^(packages|services)/[^/]+/src/',
    except: ['^packages/testkit/'],
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  }),
];

export default {
  forbidden: [...packageArrows, ...serviceArrows, ...inwardArrows, ...homes, ...hygiene],
  options: {
    doNotFollow: { path: ['node_modules', 'prisma-client/'] },
    exclude: { path: ['/dist/', '/coverage/'] },
    // Types are dependencies too: Prisma's in app/ would be a leak that no emitted file shows.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['@tollgate/source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
