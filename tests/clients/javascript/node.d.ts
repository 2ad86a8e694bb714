/** What the programs here use of Node. */
declare const process: {
  argv: string[];
  stdin: AsyncIterable<string> & { on(event: 'end', listener: () => void): { resume(): void } };
};
