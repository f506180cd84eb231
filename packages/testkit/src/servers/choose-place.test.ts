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
    ['in a container when told so', engine, programs, 'docker', docker],
    ['here when told so', engine, programs, 'local', local],
  ])('is %s', async (_title, find, look, wanted, place) => {
    expect(await choosePlace({ docker: find, local: look }, wanted)).toEqual(place);
  });

  it.each([
    ['neither', '', 'Docker does not answer; there is no redis-server in the PATH'],
    ['not the one that was told, docker', 'docker', 'Docker does not answer'],
    ['not the one that was told, local', 'local', 'there is no redis-server in the PATH'],
    ['a word that means nothing', 'podman', 'TEST_SERVERS is docker or local, or not set'],
  ])('is nowhere, with the reasons: %s', async (_title, wanted, reasons) => {
    await expect(choosePlace({ docker: away, local: lacking }, wanted)).rejects.toThrow(reasons);
  });

  it.each(['docker', 'local'])('is not looked for elsewhere when told %s', async (wanted) => {
    const ways = { docker: wanted === 'docker' ? away : engine, local: wanted === 'local' ? lacking : programs };
    await expect(choosePlace(ways, wanted)).rejects.toThrow(
      wanted === 'docker' ? 'Docker does not answer' : 'no redis-server',
    );
  });
});
