import { Kind, parse, type OperationDefinitionNode } from "graphql";

/** One operation that a game goes through, ready to be opened in a tab. */
export interface Step {
  name: string;
  query: string;
  variables: string[];
}

/** What the server says of its kinds: `example` is a document with the operations of a game, made from the kind's types. */
export interface PlayableKind {
  id: string;
  name: string;
  example: string;
}

/** Asks for all of them. */
export const KINDS = "{ kinds { id name example } }";

const ORDER = ["CreateGame", "SitDown", "StartGame", "WatchGame", "LegalMoves", "PlayMove", "LookAtGame"];

/** The steps of a game: the operations of its kind's example, each as it is written there. */
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
