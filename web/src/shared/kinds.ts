import { useEffect, useState } from "react";
import { texts } from "../texts";

export interface Range {
  least: number;
  most: number;
}

/** A kind as `/v1/kinds` lists it. */
export interface KindSummary {
  kind: string;
  name: string;
  summary: string;
  seats: Range;
  minutes: Range;
  hidden: boolean;
  simultaneous: boolean;
  rulesVersion: number;
}

/** The state of a request: pending, with its value, or with the reason of its failure. */
export type Fetched<T> = { state: "waiting" } | { state: "there"; value: T } | { state: "failed"; why: string };

/** The body of a response; throws the server's own sentence if the request failed. */
async function get<T>(path: string): Promise<T> {
  const answer = await fetch(path, { headers: { accept: "application/json" } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail ?? answer.statusText);
  return body;
}

/** The data of a GraphQL query; throws the server's own sentence if the query failed. */
async function query<T>(document: string): Promise<T> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const answer = await fetch("/graphql", { method: "POST", headers, body: JSON.stringify({ query: document }) });
  const body = await answer.json();
  if (!body.data) throw new Error(body.errors?.[0]?.message ?? body.detail ?? answer.statusText);
  return body.data;
}

/** JSON from this server, fetched once. */
export function useFetched<T>(path: string): Fetched<T> {
  return useOnce(get<T>, path);
}

/** The data of a GraphQL query to this server, fetched once. */
export function useQuery<T>(document: string): Fetched<T> {
  return useOnce(query<T>, document);
}

function useOnce<T>(request: (source: string) => Promise<T>, source: string): Fetched<T> {
  const [fetched, setFetched] = useState<Fetched<T>>({ state: "waiting" });
  useEffect(() => {
    let mounted = true;
    const update = (next: Fetched<T>) => void (mounted && setFetched(next));
    request(source).then(
      (value) => update({ state: "there", value }),
      (error: unknown) => {
        const why = error instanceof TypeError || !(error instanceof Error) ? texts.unreachable : error.message;
        update({ state: "failed", why });
      },
    );
    return () => void (mounted = false);
  }, [source]);
  return fetched;
}
