import { describe, expect, it } from '@jest/globals';
import { choosePlace } from './choose-place.ts';

const away = async () => Promise.reject(new Error('Docker does not answer'));
const lacking = async () => Promise.reject(new Error('there is no redis-server in the PATH'));
const engine = async () => '172.17.0.1';
const programs = async () => undefined;
const docker = { kind: 'docker', host: '172.17.0.1' };
const local = { kind: 'local' };

describe('where a server of a test runs', () => {
  it.each([
    ['in a container where there are both', engine, programs, '', docker],
    ['in a container where there are no programs', engine, lacking, '', docker],
    ['here where Docker does not answer or cannot get the image', away, programs, '', local],
    ['in a container when asked for', engine, programs, 'docker', docker],
    ['here when asked for', engine, programs, 'local', local],
  ])('is %s', async (_title, find, look, wanted, place) => {
    expect(await choosePlace({ docker: find, local: look }, wanted)).toEqual(place);
  });

  it.each([
    ['neither', away, lacking, '', 'Docker does not answer; there is no redis-server in the PATH'],
    ['not a container, the only place that was asked for', away, programs, 'docker', 'Docker does not answer'],
    ['not here, the only place that was asked for', engine, lacking, 'local', 'there is no redis-server in the PATH'],
    ['a word that means nothing', engine, programs, 'podman', 'TEST_SERVERS is docker or local, or not set'],
  ])('is nowhere, with the reasons: %s', async (_title, find, look, wanted, reasons) => {
    await expect(choosePlace({ docker: find, local: look }, wanted)).rejects.toThrow(reasons);
  });
});
