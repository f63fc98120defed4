// The schema rules of @graphql-eslint, all of them and those of Relay. What is set otherwise says why.

import { readFile } from 'node:fs/promises';
import graphql from '@graphql-eslint/eslint-plugin';
import { ESLint } from 'eslint';
import { Kind, parse } from 'graphql';
import { checkRules, done } from './check.mjs';

const file = `${process.env.LUDOTHEQUE_SOURCES}/schema/schema.graphql`;
const sdl = await readFile(file, 'utf8');

// Things that can be asked for again by their id are nodes. All others are values, parts of something else: the seats of
// a table, the events of a step, the answer of a mutation. An id of theirs would lead nowhere.
const isValue = ({ kind, interfaces }) =>
  kind === Kind.OBJECT_TYPE_DEFINITION && !interfaces.some(({ name }) => name.value === 'Node');
const values = parse(sdl).definitions.filter(isValue).map(({ name }) => name.value);

const all = { ...graphql.configs['flat/schema-all'].rules, ...graphql.configs['flat/schema-relay'].rules };
const rules = {
  ...all,
  '@graphql-eslint/strict-id-in-types': ['error', { exceptions: { types: values } }],
  // How the library prints descriptions: on one line where they fit it.
  '@graphql-eslint/description-style': 'off',
  // Fields come in the order in which one would tell them: a round before its tricks, a version before its events.
  '@graphql-eslint/alphabetize': 'off',
  // The cards of a hand are a list, and no page of one: only what may grow without end has edges. And a step is a value:
  // it is asked for again by its game and version.
  '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false, shouldImplementNode: false }],
  // Lists go on from where a page ended, as REST's do; nobody pages backwards through games or events.
  '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
  // Forbids mutations and subscriptions, for those who want none.
  '@graphql-eslint/no-root-type': 'off',
  // A payload has the game that changed; clients that need more send a query beside the mutation.
  '@graphql-eslint/require-field-of-type-query-in-mutation-result': 'off',
  // `Seat.seat` is its number, under the name that it has everywhere else.
  '@graphql-eslint/no-typename-prefix': 'off',
};
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: {
    files: ['**/*.graphql'],
    languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: file } } },
    plugins: { '@graphql-eslint': graphql },
    rules,
  },
});
const [{ messages }] = await eslint.lintText(sdl, { filePath: 'schema.graphql' });
await checkRules(
  Object.keys(rules).filter((rule) => rules[rule] !== 'off'),
  messages.map(({ ruleId, line, message }) => ({ rule: ruleId ?? 'parses', where: `line ${line}`, message })),
);
done();
