import { composeImage } from '../containers/compose-image.ts';
import { findDockerHost } from '../containers/start-container.ts';
import { choosePlace, type Place } from '../servers/choose-place.ts';
import { findRedisServer } from './find-redis-server.ts';

export const redisImage = (): string => composeImage('redis');

/** Where a Redis can run. The first to ask may wait until an image is pulled. Throws why there is no place. */
export function findRedisPlace(): Promise<Place> {
  return choosePlace({ docker: () => findDockerHost(redisImage()), local: findRedisServer });
}
