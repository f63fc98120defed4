import type { Fetcher } from "@graphiql/toolkit";
import { getOperationAST, OperationTypeNode, parse } from "graphql";
import { texts } from "../texts";
import { guests } from "./guests";
import { live, type Operation } from "./live";
import { notice } from "./memory";

/** The operation to run; null if the document can't be parsed, in which case the server reports the error. */
function operationOf({ query, operationName }: Operation) {
  try {
    const document = parse(query);
    return getOperationAST(document, operationName) ?? getOperationAST(document);
  } catch {
    return null;
  }
}

/** Sends GraphiQL's operations as the active guest. Subscriptions run in the live pane, over a WebSocket. */
export const fetcher: Fetcher = async (params, options) => {
  const operation: Operation = { query: params.query, variables: params.variables ?? {} };
  const found = operationOf({ ...operation, operationName: params.operationName ?? null });
  const name = found?.name?.value ?? params.operationName;
  if (name) operation.operationName = name;
  if (found?.operation === OperationTypeNode.SUBSCRIPTION) {
    live.start(operation, guests.active());
    return { data: null, extensions: { live: texts.liveAnswer } };
  }
  const token = await guests.token(guests.active()?.id ?? null);
  const answer = await fetch("/graphql", {
    method: "POST",
    headers: {
      accept: "application/graphql-response+json, application/json;q=0.9",
      "content-type": "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...options?.headers,
    },
    body: JSON.stringify(operation),
  });
  const result = await answer.json();
  notice(result);
  return result;
};
