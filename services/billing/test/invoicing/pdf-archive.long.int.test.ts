import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { findJars } from '@tollgate/testkit/maven-jars';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { toPrintableInvoice } from '../../src/invoicing/pdf/printable-invoice.ts';
import { createRenderPdf } from '../../src/invoicing/pdf/render-pdf.ts';
import { invoice, line, rest } from '../support/sample-invoice.ts';

/** The validator that the PDF Association keeps. Its jars bring Rhino, which runs the script below. */
const version = '1.28.2';
const findVeraPdf = () =>
  findJars({ name: 'veraPDF', version, artifacts: [`org.verapdf:validation-model:${version}`] });
const describeWithVeraPdf = await describeWhere('veraPDF', findVeraPdf);

/** In the JavaScript of Rhino, which has no `const` in loops. */
const script = `
var verapdf = Packages.org.verapdf;
verapdf.gf.foundry.VeraGreenfieldFoundryProvider.initialise();
var foundry = verapdf.pdfa.Foundries.defaultInstance();
var flavour = verapdf.pdfa.flavours.PDFAFlavour.fromString('3b');
for (var at = 0; at < arguments.length; at++) {
  var parser = foundry.createParser(new java.io.File(arguments[at]), flavour);
  var result = foundry.createValidator(flavour, false).validate(parser);
  print(arguments[at] + ': ' + (result.isCompliant() ? 'compliant' : 'not compliant'));
  for (var failed = result.getTestAssertions().iterator(); failed.hasNext(); ) print('  ' + failed.next().getMessage());
  parser.close();
}
`;

/** The verdict of veraPDF on these files, a line each. */
async function judge(folder: string, names: readonly string[]): Promise<string[]> {
  await writeFile(join(folder, 'judge.js'), script);
  const jars = join(await findVeraPdf(), '*');
  const args = ['-cp', jars, 'org.mozilla.javascript.tools.shell.Main', 'judge.js', ...names];
  const { stdout } = await promisify(execFile)('java', args, { cwd: folder });
  return stdout.trim().split('\n');
}

const toolNames = {
  latin: 'Search',
  emoji: '🚀 👩‍💻',
  chinese: '中文 日本語',
  korean: '한국어',
  'right-to-left': 'שלום مرحبا',
  georgian: 'ქართული',
  'nobody-has-it': 'ก \u{10fffd}',
};

describeWithVeraPdf('the PDF of an invoice', () => {
  it('is PDF/A-3b, whatever is written in it and however long it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pdf-archive-'));
    try {
      const renderPdf = createRenderPdf();
      const write = async (name: string, toolName: string, lineCount: number) => {
        const lines = Array.from({ length: lineCount }, (_, chargeIndex) => ({ ...line, chargeIndex }));
        const printed = {
          ...rest,
          invoice: { ...invoice, lines, lineCount },
          toolNames: new Map([['search', toolName]]),
        };
        await writeFile(join(folder, name), await renderPdf(toPrintableInvoice(printed)));
      };
      for (const [name, toolName] of Object.entries(toolNames)) await write(name, toolName, 1);
      await write('long', 'Search', 200);
      const names = [...Object.keys(toolNames), 'long'];
      expect(await judge(folder, names)).toEqual(names.map((name) => `${name}: compliant`));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
