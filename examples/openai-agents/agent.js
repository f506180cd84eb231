import { Agent, run, setTracingDisabled, tool } from '@openai/agents';
import { Meter, Tollgate } from '@tollgate/sdk';
import { z } from 'zod';
import { fakeModel } from './fake-model.js';
import { meterExecute } from './meter-execute.js';

setTracingDisabled(true); // traces go to OpenAI, which this example does without
const meter = await Meter.open({ tollgate: new Tollgate(), dir: '.tollgate-spool' });
const weather = tool({
  name: 'weather',
  description: 'The weather in a city',
  parameters: z.object({ city: z.string() }),
  execute: meterExecute({
    meter,
    slug: 'agents-weather',
    execute({ city }) {
      if (city === 'Atlantis') throw new Error('there is no such city');
      return `12 degrees in ${city}`;
    },
  }),
});

const model = fakeModel(); // in your program: the name of a model
const agent = new Agent({ name: 'Forecaster', instructions: 'Tell the weather.', model, tools: [weather] });
const { finalOutput } = await run(agent, 'How is the weather in Oslo and in Atlantis?');
console.log(finalOutput);
await meter.close();
console.log(meter.stats().sent, 'calls reported');
