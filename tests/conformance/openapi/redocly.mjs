// Redocly's rules for OpenAPI 3.1, its strictest set: a warning counts like an error. No rule is left out, and
// one is loosened; README.md says so.

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { checkRules, done } from './check.mjs';

const document = await (await fetch(`${process.env.LUDOTHEQUE_URL}/openapi.json`)).text();
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // By default it takes every part of a schema for a closed one, `then` and `else` too, which name single fields. Ours
    // say themselves that they are closed.
    'no-invalid-schema-examples': { severity: 'error', allowAdditionalProperties: true },
  },
});
const found = await lintFromString({ source: document, config });
const isOn = (rule) => rule !== 'off' && rule?.severity !== 'off';
const rules = Object.entries(config.rules.oas3_1).filter(([, rule]) => isOn(rule)).map(([name]) => name);
const where = ({ location: [place] }) => place?.pointer ?? '';
await checkRules(rules, found.map((problem) => ({ rule: problem.ruleId, where: where(problem), message: problem.message })));
done();
