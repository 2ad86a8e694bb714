// Prints what the AsyncAPI parser finds in a document: problems, and how many operations and messages there are.
import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';

const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], 'utf8'));
const problems = diagnostics.filter(({ severity }) => severity <= 1);
const counts = { operations: document?.operations().all().length, messages: document?.messages().all().length };
console.log(JSON.stringify({ problems, ...counts }));
