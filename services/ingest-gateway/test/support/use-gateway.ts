import { afterAll, beforeAll } from '@jest/globals';
import { startGateway, type GatewayOptions, type GatewayUnderTest } from './gateway-under-test.ts';

export const operatorToken = 'the-operator-of-these-tests-nobody-else';

/** One gateway for a whole suite. Its members are set when the suite's own `beforeAll` and tests run. */
export function useGateway(options: GatewayOptions = {}): GatewayUnderTest {
  const gateway = {} as GatewayUnderTest;
  beforeAll(async () => void Object.assign(gateway, await startGateway(options)));
  afterAll(() => gateway.stop());
  return gateway;
}

/** One gateway with an operator, whose token is `operatorToken`. */
export function useGatewayWithOperator(): GatewayUnderTest {
  return useGateway({ settings: { OPERATOR_TOKEN: operatorToken } });
}
