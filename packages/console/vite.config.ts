import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/** Billing serves the result at `/app`, embeds at `/app/embed`, and replaces the nonce in each answer. */
export default defineConfig({
  base: '/app/',
  html: { cspNonce: '__CSP_NONCE__' },
  // The SDK's sources, as everywhere in this repository: nothing has to be built before.
  resolve: { conditions: ['@tollgate/source', ...defaultClientConditions] },
  plugins: [react(), listPackages()],
  build: {
    // The policy of the page knows no `data:` scripts or fonts; each file is one that the server sends.
    assetsInlineLimit: 0,
    rolldownOptions: { input: ['index.html', 'embed.html'] },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
  },
});

/** Lists the packages of others whose code the files have: the inventory of an image names them (`write-sbom.mjs`). */
function listPackages(): Plugin {
  return {
    name: 'list-packages',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
      const folders = new Set(
        modules.flatMap((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []),
      );
      const packages = [...folders].sort().map(packageIn);
      this.emitFile({ type: 'asset', fileName: 'packages.json', source: JSON.stringify(packages, undefined, 1) });
    },
  };
}

function packageIn(folder: string): object {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Record<
    string,
    unknown
  >;
  return { name, version, license };
}
