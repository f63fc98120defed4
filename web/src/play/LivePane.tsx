import { useEffect, useRef, useSyncExternalStore } from "react";
import { language, texts } from "../texts";
import { live, type Feed } from "./live";

const time = new Intl.DateTimeFormat(language, { timeStyle: "medium" });

/** The running subscriptions and their events, below the editors. */
export function LivePane() {
  const feeds = useSyncExternalStore(live.subscribe, live.feeds);
  return (
    <section className="live" aria-label={texts.live}>
      <h2>{texts.live}</h2>
      {feeds.length === 0 && <p>{texts.liveEmpty}</p>}
      {feeds.map((feed) => (
        <FeedView key={feed.id} feed={feed} />
      ))}
    </section>
  );
}

function FeedView({ feed }: { feed: Feed }) {
  const list = useRef<HTMLOListElement>(null);
  const newest = feed.entries.at(-1)?.id;
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [newest]);
  const over = feed.state === "ended" || feed.state === "failed";
  return (
    <article className="feed" data-state={feed.state}>
      <header>
        <span className="lamp" aria-hidden="true" />
        <strong>{feed.title}</strong>
        <span>{texts.as(feed.as ?? texts.nobody)}</span>
        <span>· {texts.liveStates[feed.state]}</span>
        <button type="button" className="plain" onClick={over ? () => live.remove(feed.id) : feed.stop}>
          {over ? texts.remove : texts.stop}
        </button>
      </header>
      <ol ref={list} role="log">
        {feed.entries.map((entry) => (
          <li key={entry.id}>
            <time dateTime={entry.at.toISOString()}>{time.format(entry.at)}</time>
            <code>{entry.text}</code>
          </li>
        ))}
      </ol>
    </article>
  );
}
