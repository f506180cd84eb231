import { tool } from '@langchain/core/tools';
import { Meter, Tollgate } from '@tollgate/sdk';
import { z } from 'zod';
import { fakeModel } from './fake-model.js';
import { MeterTools } from './meter-tools.js';

const weather = tool(
  ({ city }) => {
    if (city === 'Atlantis') throw new Error('there is no such city');
    return `12 degrees in ${city}`;
  },
  { name: 'weather', description: 'The weather in a city', schema: z.object({ city: z.string() }) },
);

const meter = await Meter.open({ tollgate: new Tollgate(), dir: '.tollgate-spool' });
const callbacks = [new MeterTools(meter, { slugOf: (name) => `langchain-${name}` })]; // an agent takes them alike: agent.invoke(input, { callbacks })
const model = fakeModel(); // in your program: any chat model with .bindTools([weather])
const { tool_calls: calls } = await model.invoke('How is the weather in Oslo and in Atlantis?');
for (const call of calls) {
  const { content } = await weather.invoke(call, { callbacks }).catch((error) => ({ content: error.message }));
  console.log(content);
}
await meter.close();
console.log(meter.stats().sent, 'calls reported');
