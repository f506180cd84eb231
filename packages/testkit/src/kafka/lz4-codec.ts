import { CompressionCodecs, CompressionTypes } from 'kafkajs';

/** Magic number, version 1 with independent blocks of at most 64 KiB, and the checksum of these two bytes. */
const header = Buffer.from('04224d18604082', 'hex');
const blockBytesMax = 65_536;
const isUncompressed = 0x80000000;
const endMark = Buffer.alloc(4);

/**
 * Lets kafkajs produce LZ4, as other clients do: a whole frame of the format, with blocks marked as uncompressed. It
 * cannot read LZ4: a reader of such a batch fails.
 */
export function allowLz4(): void {
  CompressionCodecs[CompressionTypes.LZ4] = () => ({
    async compress({ buffer }: { readonly buffer: Buffer }) {
      const blocks: Buffer[] = [];
      for (let at = 0; at < buffer.length; at += blockBytesMax) {
        const block = buffer.subarray(at, at + blockBytesMax);
        const size = Buffer.alloc(4);
        size.writeUInt32LE((isUncompressed | block.length) >>> 0);
        blocks.push(size, block);
      }
      return Buffer.concat([header, ...blocks, endMark]);
    },
    async decompress(): Promise<Buffer> {
      throw new Error('an LZ4 batch reached a reader');
    },
  });
}
