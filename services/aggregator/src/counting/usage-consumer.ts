import 'reflect-metadata';
import { Controller, Inject, Module, type DynamicModule, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, Payload, RpcException } from '@nestjs/microservices';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import type { LogBatch } from '@tollgate/event-log/event-log';
import type { Service } from '@tollgate/kernel/service';
import type { EventLogTransport } from './event-log-transport.ts';

const processBatchToken = Symbol('processBatch');
type ProcessBatch = (batch: LogBatch) => Promise<void>;

@Controller()
class UsageController {
  private readonly processBatch: ProcessBatch;

  constructor(@Inject(processBatchToken) processBatch: ProcessBatch) {
    this.processBatch = processBatch;
  }

  @EventPattern(usageEventsTopic)
  async count(@Payload() batch: LogBatch): Promise<void> {
    try {
      await this.processBatch(batch);
    } catch (error) {
      // Nest replaces any other error by "Internal server error", and the log would not say what was wrong.
      throw new RpcException(error as object);
    }
  }
}

@Module({})
class UsageModule {
  static with(processBatch: ProcessBatch): DynamicModule {
    return {
      module: UsageModule,
      controllers: [UsageController],
      providers: [{ provide: processBatchToken, useValue: processBatch }],
    };
  }
}

/** The Nest microservice that counts what the transport hands it. */
export function createUsageConsumer(transport: EventLogTransport, processBatch: ProcessBatch): Service {
  let app: INestMicroservice | undefined;
  return {
    name: 'usage-consumer',
    async start() {
      app = await NestFactory.createMicroservice(UsageModule.with(processBatch), {
        strategy: transport,
        logger: false,
        abortOnError: false,
      });
      await app.listen();
    },
    async stop() {
      await app?.close();
    },
  };
}
