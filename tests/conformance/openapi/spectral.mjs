// Spectral's rules for OpenAPI, all of them: a warning or a hint counts like an error. What is off says why.

import spectralCore from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';
import { checkRules, done } from './check.mjs';

const { Document, Spectral } = spectralCore;
const spectral = new Spectral();
spectral.setRuleset({
  extends: [[rulesets.oas, 'all']],
  rules: {
    // Wants a URL and a mail address: those of the operator, while the document is the same on all servers.
    'contact-properties': 'off',
    // OpenAPI 3.1 takes an SPDX identifier or an address, not both; ours is an identifier.
    'license-url': 'off',
    // Tags come in the order in which one meets them: players, kinds, games, play.
    'openapi-tags-alphabetical': 'off',
  },
});
const text = await (await fetch(`${process.env.LUDOTHEQUE_URL}/openapi.json`)).text();
const found = await spectral.run(new Document(text, parsers.Json, 'openapi.json'));
// The ruleset knows every version of OpenAPI; rules of Swagger 2 have nothing to look at here.
const rules = Object.values(spectral.ruleset.rules).filter(({ enabled, name }) => enabled && !name.startsWith('oas2-'));
await checkRules(
  rules.map(({ name }) => name),
  found.map(({ code, path, message }) => ({ rule: String(code), where: path.join('.'), message })),
);
done();
