/**
 * Makes `node_modules/.pnpm` below the current folder small enough for an image.
 *
 * Prisma's client names its command line and the compiler as optional peers. They bring half of all installed packages: a
 * database, React, a studio. These are for development only. Nest's client names gRPC, which no service speaks. This script
 * removes them, every package that nothing else reaches, and the files of the others that no running program reads.
 */
import { existsSync, globSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';

const unusedPeers = ['prisma', 'typescript', '@grpc/grpc-js'];
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

for (const peer of unusedPeers) {
  for (const link of globSync(`${store}/*/node_modules/${peer}`)) {
    if (!realpathSync(link).startsWith(link)) rmSync(link); // a link to the package, not the package itself
  }
}

const reached = new Set();
const folders = globSync('{packages,services}/*/node_modules');
for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
  for (const target of linksIn(folder)) {
    const name = target.startsWith(store + sep) ? target.slice(store.length + 1).split(sep)[0] : undefined;
    if (name === undefined || reached.has(name)) continue;
    reached.add(name);
    folders.push(join(store, name, 'node_modules'));
  }
}

for (const name of readdirSync(store)) {
  if (name !== 'node_modules' && name !== 'lock.yaml' && !reached.has(name))
    rmSync(join(store, name), { recursive: true });
}
for (const link of globSync(`${store}/node_modules/{*,@*/*}`)) if (!existsSync(link)) rmSync(link);
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

function linksIn(folder) {
  return globSync(`${folder}/{[!@.]*,@*/*}`)
    .filter((link) => existsSync(link))
    .map((link) => realpathSync(link));
}
