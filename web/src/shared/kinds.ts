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

/** JSON from our own server, fetched once. */
export function useFetched<T>(path: string): Fetched<T> {
  const [fetched, setFetched] = useState<Fetched<T>>({ state: "waiting" });
  useEffect(() => {
    let wanted = true;
    const tell = (news: Fetched<T>) => void (wanted && setFetched(news));
    get<T>(path).then(
      (value) => tell({ state: "there", value }),
      (error: unknown) => {
        const why = error instanceof TypeError || !(error instanceof Error) ? texts.unreachable : error.message;
        tell({ state: "failed", why });
      },
    );
    return () => void (wanted = false);
  }, [path]);
  return fetched;
}
