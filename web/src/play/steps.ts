import { Kind, parse, type OperationDefinitionNode } from "graphql";

/** One operation that a game goes through, ready to be opened in a tab. */
export interface Step {
  name: string;
  query: string;
  variables: string[];
}

const files = import.meta.glob<string>("../../examples/*.graphql", { query: "?raw", import: "default", eager: true });

const ORDER = ["CreateGame", "SitDown", "StartGame", "WatchGame", "LegalMoves", "PlayMove", "LookAtGame"];

/** The operations in one file of examples, each as it is written there. */
function operations(slug: string): Step[] {
  const text = files[`../../examples/${slug}.graphql`];
  if (text === undefined) return [];
  const definitions = parse(text).definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  return definitions.map((node) => ({
    name: node.name?.value ?? "",
    query: `${text.slice(node.loc?.start, node.loc?.end)}\n`,
    variables: (node.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
  }));
}

/** The steps of a game of a kind: what is its own, and what it shares with every other. */
export function stepsOf(kind: string): Step[] {
  const steps = [...operations(kind.toLowerCase()), ...operations("every_kind")];
  return steps.sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
}
