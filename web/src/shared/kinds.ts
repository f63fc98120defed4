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

/** Something that is on its way: not there yet, there, or why not. */
export type Fetched<T> = { state: "waiting" } | { state: "there"; value: T } | { state: "failed"; why: string };

/** What the server answers, or its own sentence on why it does not. */
async function get<T>(path: string): Promise<T> {
  const answer = await fetch(path, { headers: { accept: "application/json" } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail ?? answer.statusText);
  return body;
}

/** The data of a GraphQL query, or the server's own sentence on why there is none. */
async function ask<T>(query: string): Promise<T> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const answer = await fetch("/graphql", { method: "POST", headers, body: JSON.stringify({ query }) });
  const body = await answer.json();
  if (!body.data) throw new Error(body.errors?.[0]?.message ?? body.detail ?? answer.statusText);
  return body.data;
}

/** JSON from our own server, fetched once. */
export function useFetched<T>(path: string): Fetched<T> {
  return useOnce(get<T>, path);
}

/** What our own server answers to a GraphQL query, asked once. */
export function useAnswered<T>(query: string): Fetched<T> {
  return useOnce(ask<T>, query);
}

function useOnce<T>(fetched: (what: string) => Promise<T>, what: string): Fetched<T> {
  const [news, setNews] = useState<Fetched<T>>({ state: "waiting" });
  useEffect(() => {
    let wanted = true;
    const tell = (news: Fetched<T>) => void (wanted && setNews(news));
    fetched(what).then(
      (value) => tell({ state: "there", value }),
      (error: unknown) => {
        const why = error instanceof TypeError || !(error instanceof Error) ? texts.unreachable : error.message;
        tell({ state: "failed", why });
      },
    );
    return () => void (wanted = false);
  }, [what]);
  return news;
}
