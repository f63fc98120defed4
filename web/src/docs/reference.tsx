import "./reference.css";
import { useMemo, useSyncExternalStore } from "react";
import { AppStore, Redoc, type RedocRawOptions } from "redoc";
import { Head, show } from "../shared/frame";
import { useFetched } from "../shared/kinds";
import { texts } from "../texts";
import { theme } from "./theme";

type OpenApi = ConstructorParameters<typeof AppStore>[0];

const dark = matchMedia("(prefers-color-scheme: dark)");

const OPTIONS: RedocRawOptions = {
  // Redoc's search needs an inline worker, which the content security policy forbids; the browser's search replaces it.
  disableSearch: true,
  hideDownloadButtons: true,
  hideHostname: true,
  jsonSamplesExpandLevel: 3,
  labels: texts.redoc,
  nativeScrollbars: true,
  scrollYOffset: ".head",
  // Otherwise Redoc lists the names of all branches before each union, which shows them anyway.
  simpleOneOfTypeLabel: true,
  sortRequiredPropsFirst: true,
};

function useDark(): boolean {
  return useSyncExternalStore(
    (changed) => {
      dark.addEventListener("change", changed);
      return () => dark.removeEventListener("change", changed);
    },
    () => dark.matches,
  );
}

/** The REST reference, from the server's own `/openapi.json`. */
function Reference() {
  const document = useFetched<OpenApi>("/openapi.json");
  return (
    <>
      <Head page="/docs" />
      {document.state === "waiting" && <p className="message">{texts.loading}</p>}
      {document.state === "failed" && <p className="message">{document.why}</p>}
      {document.state === "there" && <Document document={document.value} />}
    </>
  );
}

function Document({ document }: { document: OpenApi }) {
  const isDark = useDark();
  const store = useMemo(
    () => new AppStore(document, undefined, { ...OPTIONS, theme: theme(isDark) }, false),
    [document, isDark],
  );
  return (
    <main className="reference">
      <Redoc store={store} />
    </main>
  );
}

show(texts.reference, <Reference />);
