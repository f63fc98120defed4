import { Kind, parse, type OperationDefinitionNode } from "graphql";

/** One operation of a game, to open in a tab. */
export interface Step {
  name: string;
  query: string;
  variables: string[];
}

/** A kind; `example` is a document with the operations of a game, generated from the kind's types. */
export interface PlayableKind {
  id: string;
  name: string;
  example: string;
}

/** The query for all kinds. */
export const KINDS = "{ kinds { id name example } }";

const ORDER = ["CreateGame", "SitDown", "StartGame", "WatchGame", "LegalMoves", "PlayMove", "LookAtGame"];

/** The steps of a game: the operations of its kind's example. */
export function stepsOf({ example }: PlayableKind): Step[] {
  const definitions = parse(example).definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  const steps = definitions.map((node) => ({
    name: node.name?.value ?? "",
    query: `${example.slice(node.loc?.start, node.loc?.end)}\n`,
    variables: (node.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
  }));
  return steps.sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
}
