// Fields that can't be merged: graphql-js' `validate` and the server judge the same documents, and must agree. What both
// refuse, both refuse by OverlappingFieldsCanBeMerged. Then, for each kind, a document that selects every field of every
// event without an alias: both accept it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import {
  buildSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  OverlappingFieldsCanBeMergedRule,
  parse,
  validate,
} from 'graphql';
import { check, done } from './check.mjs';
import { url } from './table.mjs';

const schema = buildSchema(await readFile(`${process.env.LUDOTHEQUE_SOURCES}/schema/schema.graphql`, 'utf8'));

// What graphql-js says against a document; a document that is invalid otherwise is a mistake in this file.
function conflictsByGraphqlJs(document) {
  const parsed = parse(document);
  const all = validate(schema, parsed, undefined, { maxErrors: 1000 });
  const conflicts = validate(schema, parsed, [OverlappingFieldsCanBeMergedRule], { maxErrors: 1000 });
  assert.deepEqual(all.map(String).sort(), conflicts.map(String).sort(), 'invalid for another reason');
  return conflicts.map(({ message }) => message);
}

// What the server says against it: nothing, if the document was executed, whatever came of it.
async function conflictsByServer(document, variables, operationName) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: document, variables, operationName }),
  });
  const { errors = [] } = await response.json();
  const invalid = errors.filter(({ extensions }) => extensions.code === 'GRAPHQL_VALIDATION_FAILED');
  assert.deepEqual(response.status, invalid.length > 0 ? 400 : 200, JSON.stringify(errors));
  for (const { message, locations } of invalid) {
    assert.match(message, /^Fields ".+" conflict because .+\. Use different aliases on the fields/);
    assert.equal(locations.length, 2, 'it says where both fields are');
  }
  return invalid.map(({ message }) => message);
}

const events = (selected) => `{ events(gameId: "none", first: 1) { nodes { events { ${selected} } } } }`;
const view = (selected) => `{ game(id: "none") { view { ${selected} } } }`;
const action = (selected) => `{ replay(gameId: "none") { steps(first: 1) { action { ${selected} } } } }`;
const node = (selected) => `{ node(id: "none") { ${selected} } }`;

// A name, a document, whether it is refused; if need be, its variables, and which of its operations is meant.
const TABLE = [
  // Two leaves.
  ['the same leaf of two types', events('... on ChipsDealtEvent { seat } ... on ChipsSetAsideEvent { seat }'), false],
  ['two leaves', events('... on ChipsDealtEvent { x: seat } ... on LoadingLaidEvent { x: card }'), true],
  ['two enums', view('... on ChipsView { x: roundStep } ... on LoadingView { x: gameStage }'), true],
  ['Int and ID', events('... on ChipsDealtEvent { x: seat } ... on LoadingDealtEvent { x: packet }'), true],
  ['other fields of one shape, of two objects', events('... on ChipsDealtEvent { x: seat } ... on ChipsDrewEvent { x: board }'), false],
  ['other fields of one shape, of one object', events('... on ChipsDealtEvent { x: seat } ... on ChipsDealtEvent { x: count }'), true],
  ['other fields side by side', view('... on ChipsView { x: round x: dealer }'), true],
  // Nullability.
  ['null and not', events('... on ChipsDealtEvent { x: seat } ... on LoadingDealtEvent { x: holder }'), true],
  ['null and not, the other way round', events('... on LoadingDealtEvent { x: holder } ... on ChipsDealtEvent { x: seat }'), true],
  ['null twice', view('... on ToyRushView { x: active } ... on ToysGoGoGoView { x: turn }'), false],
  ['an action and another', action('... on SitAction { seat } ... on RemoveAction { seat }'), true],
  ['an action and another, each by its alias', action('... on SitAction { sat: seat } ... on RemoveAction { removed: seat }'), false],
  // Lists.
  ['a list and one of it', events('... on ChipsDealtEvent { x: seat } ... on SantaRescueDealtEvent { x: holders }'), true],
  ['a list and a list of lists', view('... on ChipsView { x: boards } ... on ToyRushView { x: line { name } }'), true],
  ['a list that may be null and one that may not', action('... on ResignAction { seats } ... on TimeOutAction { seats }'), true],
  ['lists of the same', events('... on ChipsDealtEvent { cards } ... on LoadingDealtEvent { cards }'), false],
  // Objects.
  ['two objects without a name in common', view('... on ChipsView { seats { tokens } } ... on ToyRushView { seats { points } }'), false],
  ['two objects with the same leaf', view('... on ChipsView { seats { seat } } ... on ToyRushView { seats { seat } }'), false],
  ['two objects with leaves that differ', view('... on ChipsView { seats { x: hand } } ... on ToyRushView { seats { x: stock } }'), true],
  ['a leaf and an object, below', view('... on ChipsView { seats { x: hand } } ... on ToyRushView { seats { x: handObjectives { id } } }'), true],
  ['an object and a leaf', view('... on ChipsView { x: round } ... on ToyRushView { x: seats { seat } }'), true],
  ['an object and a list of objects', view('... on SantaRescueView { x: today { row } } ... on ToyRushView { x: seats { seat } }'), true],
  ['below two names', view('... on ToyRushView { seats { a: handObjectives { x: id } } } ... on ToysGoGoGoView { seats { a: shop { x: row } } }'), true],
  // Only names and arguments.
  ['the same field twice', '{ me { id } me { displayName } }', false],
  ['the same arguments', '{ game(id: "a") { id } game(id: "a") { version } }', false],
  ['the same arguments in another order', '{ game(id: "a", at: 1) { id } game(at: 1, id: "a") { id } }', false],
  ['other arguments', '{ game(id: "a") { id } game(id: "b") { id } }', true],
  ['one argument more', '{ game(id: "a") { id } game(id: "a", at: 1) { id } }', true],
  ['other arguments, by aliases', '{ a: game(id: "a") { id } b: game(id: "b") { id } }', false],
  ['a variable and another', 'query($a: ID!, $b: ID!) { game(id: $a) { id } game(id: $b) { id } }', true, { a: 'a', b: 'b' }],
  ['a variable twice', 'query($a: ID!) { game(id: $a) { id } game(id: $a) { version } }', false, { a: 'a' }],
  ['an input whose fields are in another order', '{ games(filter: {kind: CHIPS, mine: false}) { nodes { id } } games(filter: {mine: false, kind: CHIPS}) { nodes { id } } }', false],
  ['an input with another value', '{ games(filter: {kind: CHIPS}) { nodes { id } } games(filter: {kind: LOADING}) { nodes { id } } }', true],
  ['other fields below the same one', '{ me { x: id } me { x: displayName } }', true],
  ['other arguments of fields that no value has both of', node('... on Game { x: id } ... on Player { x: id }'), false],
  // Interfaces and unions.
  ['a field of the interface and of an object', events('type ... on ChipsDealtEvent { type }'), false],
  ['a field of the interface and another of an object', events('x: type ... on ChipsDealtEvent { x: seat }'), true],
  ['another field of the same shape, of the interface', node('... on Player { x: displayName } ... on Game { x: inviteCode } id'), true],
  ['an interface within an object', events('... on ChipsDealtEvent { ... on GameEvent { x: type } } ... on ChipsDrewEvent { ... on GameEvent { x: __typename } }'), true],
  ['an object and a field around it', events('... on ChipsDealtEvent { x: count ... on GameEvent { x: type } }'), true],
  ['members of a union', '{ legalMoves(gameId: "none") { moves { effect { ... on SantaRescueEffect { x: row } ... on ToysGoGoGoEffect { x: coins } } } } }', true],
  // __typename.
  ['__typename everywhere', events('__typename ... on ChipsDealtEvent { __typename } ... on ChipsDrewEvent { __typename }'), false],
  ['__typename of two objects and a text', events('... on ChipsDealtEvent { x: __typename } ... on ChipsDrewEvent { x: type }'), false],
  ['__typename and another field of one object', '{ me { x: __typename x: id } }', true],
  // Fragments.
  ['through a fragment', `${events('...A ... on ChipsDrewEvent { x: chips }')} fragment A on ChipsDealtEvent { x: seat }`, true],
  ['through two fragments', `${events('...A ...B')} fragment A on ChipsDealtEvent { x: seat } fragment B on LoadingDealtEvent { x: holder }`, true],
  ['through a fragment within one', `${events('...A ...B')} fragment A on GameEvent { ...C } fragment B on LoadingDealtEvent { x: holder } fragment C on ChipsDealtEvent { x: seat }`, true],
  ['a fragment twice', `${events('...A ...A')} fragment A on ChipsDealtEvent { x: seat }`, false],
  ['within one fragment', `${events('...A')} fragment A on ChipsDealtEvent { x: seat x: count }`, true],
  ['below a field of two fragments', `${view('...A ...B')} fragment A on ChipsView { seats { ...C } } fragment B on ToyRushView { seats { x: points } } fragment C on ChipsSeat { x: chosen }`, true],
  ['inline fragments without a type', events('... on ChipsDealtEvent { ... { x: seat } } ... on ChipsDrewEvent { ... { x: board } }'), false],
  ['inline fragments without a type that conflict', events('... on ChipsDealtEvent { ... { x: seat } } ... on ChipsDrewEvent { ... @include(if: true) { x: chips } }'), true],
  ['a fragment without a type around all', events('... { ... on ChipsDealtEvent { x: seat } ... on ChipsDrewEvent { x: board } }'), false],
  // Directives keep nothing apart.
  ['one of two is skipped', events('... on ChipsDealtEvent { x: seat @skip(if: true) } ... on ChipsDrewEvent { x: chips }'), true],
  ['one is skipped, the other included', 'query($a: Boolean!) { x: game(id: "a") @skip(if: $a) { id } x: game(id: "b") @include(if: $a) { id } }', true, { a: true }],
  // Deep below names that exclude each other, only the shape counts.
  ['names below objects that exclude each other', events('... on ChipsRevealedEvent { x: bets { y: seat } } ... on ChipsScoredEvent { x: tallies { y: seat } }'), false],
  ['other names of one shape, below', view('... on ChipsView { seats { y: tokens } } ... on ToyRushView { seats { y: points } }'), false],
  ['other operations of one document', `query A ${view('... on ChipsView { x: round }')} query B ${view('... on ChipsView { x: seats { seat } }')}`, false, undefined, 'A'],
  ['in an operation that is not asked for', 'query A { me { id } } query B { me { x: id x: displayName } }', true, undefined, 'A'],
  ['in a mutation', 'mutation { resignGame(input: {gameId: "a"}) { version } resignGame(input: {gameId: "b"}) { version } }', true],
  ['in a subscription', 'query A { me { id } } subscription B { gameEvents(gameId: "none") { events { ... on ChipsDealtEvent { x: seat } ... on ChipsDrewEvent { x: chips } } } }', true, undefined, 'A'],
];

for (const [name, document, refused, variables, operation] of TABLE) {
  await check(`${refused ? 'refused' : 'accepted'}: ${name}`, async () => {
    const theirs = conflictsByGraphqlJs(document);
    const ours = await conflictsByServer(document, variables, operation);
    assert.equal(theirs.length > 0, refused, `graphql-js: ${theirs}`);
    assert.equal(ours.length > 0, refused, `the server: ${ours}`);
  });
}

await check('refused, although graphql-js gives __typename no type: __typename and a number', async () => {
  const document = events('... on ChipsDealtEvent { x: __typename } ... on ChipsDrewEvent { x: board }');
  assert.deepEqual(conflictsByGraphqlJs(document), []);
  assert.equal((await conflictsByServer(document)).length, 1, 'the specification makes no exception');
});

// All fields of a type, and of all that they lead to, by their own names.
function everything(type) {
  const own = type.getFields ? Object.values(type.getFields()) : [];
  const fields = own.map((field) => {
    const leadsTo = getNamedType(field.type);
    return isCompositeType(leadsTo) ? `${field.name} { ${everything(leadsTo)} }` : field.name;
  });
  const members = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  return ['__typename', ...fields, ...members.map(on)].join(' ');
}

const on = (type) => `... on ${type.name} { ${everything(type)} }`;

// A kind's types begin with its name: ChipsView, ChipsDealtEvent.
const kinds = schema.getPossibleTypes(schema.getType('GameView')).map(({ name }) => name.replace(/View$/, ''));
const allEvents = schema.getPossibleTypes(schema.getType('GameEvent')).filter(isObjectType);
const kindOf = ({ name }) => kinds.find((kind) => name.startsWith(kind));

for (const kind of kinds) {
  await check(`every field of every event of ${kind} and of the table, without an alias`, async () => {
    const told = allEvents.filter((type) => [kind, undefined].includes(kindOf(type)));
    assert(told.some((type) => kindOf(type) === kind), 'it has events');
    const document = events(told.map(on).join(' '));
    assert(!document.includes(':', document.indexOf('nodes')), 'no alias');
    assert.deepEqual(conflictsByGraphqlJs(document), []);
    assert.deepEqual(await conflictsByServer(document), []);
  });
}

await check('every field of every view, without an alias', async () => {
  const document = view(everything(schema.getType('GameView')));
  assert.deepEqual(conflictsByGraphqlJs(document), []);
  assert.deepEqual(await conflictsByServer(document), []);
});
done();
