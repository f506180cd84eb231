import { findRedisPlace } from './redis/find-redis-place.ts';
import { describeWhere } from './servers/describe-where.ts';

/** A suite that needs Redis: skipped where none can be started, which fails the run with CI=true. */
export const describeWithRedis = await describeWhere('Redis', findRedisPlace);
