// All rules of graphql-schema-linter that are about more than the alphabet.

import { readFile } from 'node:fs/promises';
import linter from 'graphql-schema-linter';
import { checkRules, done } from './check.mjs';

const definition = await readFile(`${process.env.LUDOTHEQUE_SOURCES}/schema/schema.graphql`, 'utf8');
const schema = { definition, sourceMap: { getOriginalPathForLine: () => 'schema.graphql', getOffsetForPath: () => 0 } };

// Fields and values come in the order in which one would tell them.
const isAboutTheAlphabet = (rule) => rule.endsWith('-sorted-alphabetically');

const configuration = new linter.configuration.Configuration(schema, {});
const rules = configuration.getAllBuiltInRules();
const name = ({ name }) => name.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase();
const chosen = rules.filter((rule) => !isAboutTheAlphabet(name(rule)));
const found = linter.validator.validateSchemaDefinition(schema, chosen, configuration);
await checkRules(
  chosen.map(name),
  found.map(({ ruleName, locations, message }) => ({ rule: ruleName, where: `line ${locations?.[0]?.line}`, message })),
);
done();
