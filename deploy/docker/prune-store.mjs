/**
 * Makes `node_modules/.pnpm` below the current folder small enough for an image: removes the files that no running program
 * reads. `.pnpmfile.cjs` keeps whole packages out.
 */
import { globSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** TypeScript, which Node runs in no package, sources of stack traces, and words for people; licences stay. */
const unreadFiles = /\.(?:map|[cm]?ts|md|markdown)$/i;
/**
 * Paths in a package: builds for browsers and bundlers, sources of builds, tests, other databases' compilers, compilers of
 * migrations in TypeScript and of brotli, unused fonts.
 * Of Prisma's compilers the generated client reads the fast one for PostgreSQL, as an ES module.
 */
const unreadPaths = [
  '@prisma/client/runtime/query_compiler_*_bg.{cockroachdb,mysql,sqlite,sqlserver}.*',
  '@prisma/client/runtime/query_compiler_small_bg.*',
  '@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.js',
  '@prisma/client/runtime/wasm-compiler-edge.*',
  'rxjs/src',
  'rxjs/dist/{bundles,esm,esm5,types}',
  'pdfkit/.yarn',
  'pdfkit/js/*.{browser,old,browser.old}.{js,mjs}',
  'pdfkit/js/pdfkit.standalone.js',
  'pdfkit/js/output.*',
  'swagger-ui-dist/swagger-ui{,-es-bundle,-es-bundle-core,-standalone-preset}.js',
  'fontkit/dist/browser*',
  'stripe/cjs',
  'bintrees/test',
  'brotli/build',
  'jiti/dist/babel.cjs',
  'pako/dist',
  'dejavu-fonts-ttf/ttf/!(DejaVuSans).ttf',
  'dejavu-fonts-ttf/status.txt',
  '@expo-google-fonts/inter/*/*.png',
  '@expo-google-fonts/inter/!(400Regular|600SemiBold)/*.ttf',
];
const store = realpathSync('node_modules/.pnpm');

for (const path of unreadPaths)
  for (const found of globSync(`${store}/*/node_modules/${path}`)) rmSync(found, { recursive: true, force: true });
// Both walks follow links, and find a file by several of them: `force` lets the second time pass.
for (const entry of readdirSync(store, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && unreadFiles.test(entry.name) && !isBundle(entry.parentPath))
    rmSync(join(entry.parentPath, entry.name), { force: true });

/** The map of a service's bundle is read: for stack traces. */
function isBundle(folder) {
  return folder.endsWith('/dist/bundle');
}
