/**
 * Prisma's client names its command line and the compiler as optional peers. They bring half of all installed packages: a
 * database, React, a studio. These are for development only. This script removes them, and every package that nothing
 * else reaches, from `node_modules/.pnpm` below the current folder.
 */
import { existsSync, globSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';

const developmentPeers = ['prisma', 'typescript'];
const store = realpathSync('node_modules/.pnpm');

for (const peer of developmentPeers) {
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

function linksIn(folder) {
  return globSync(`${folder}/{[!@.]*,@*/*}`)
    .filter((link) => existsSync(link))
    .map((link) => realpathSync(link));
}
