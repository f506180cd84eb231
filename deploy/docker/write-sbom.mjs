/**
 * Writes the inventory of a folder of pnpm (`node_modules/.pnpm`) as CycloneDX 1.6: each package that the image has, by
 * name, version and licence. It reads what is there, not what a lockfile says. The files of the console have packages
 * inside, which its build has listed.
 *
 *   node write-sbom.mjs <folder with node_modules> <name of the image> > sbom.cdx.json
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, name] = process.argv.slice(2);
const store = join(folder, 'node_modules', '.pnpm');

/** Each package lies in a folder of its own, beside links to its dependencies. */
function packagesIn(modules) {
  const entries = readdirSync(modules, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.flatMap((entry) =>
    entry.name.startsWith('@') ? packagesIn(join(modules, entry.name)) : [join(modules, entry.name)],
  );
}

function toComponent({ name: title, version, license }) {
  const [scope, base] = title.startsWith('@') ? title.split('/') : [undefined, title];
  const purl = `pkg:npm/${scope ? `${encodeURIComponent(scope)}/` : ''}${base}@${version}`;
  const licenses = typeof license === 'string' ? [{ expression: license }] : undefined;
  return { type: 'library', 'bom-ref': purl, name: title, version, purl, licenses };
}

const components = new Map();
for (const place of readdirSync(store, { withFileTypes: true })) {
  if (!place.isDirectory() || place.name === 'node_modules') continue;
  for (const path of packagesIn(join(store, place.name, 'node_modules'))) {
    const component = toComponent(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')));
    components.set(component.purl, component);
  }
}

const insideConsole = join(folder, 'packages/console/dist/packages.json');
if (existsSync(insideConsole)) {
  for (const component of JSON.parse(readFileSync(insideConsole, 'utf8')).map(toComponent)) {
    components.set(component.purl, component);
  }
}

const sorted = [...components.values()].sort((left, right) => (left.purl < right.purl ? -1 : 1));
const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', name } },
  components: sorted,
};
process.stdout.write(`${JSON.stringify(sbom, undefined, 1)}\n`);
