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
  // Its search runs in a worker made from a text, which our policy forbids; the browser's own finds as much.
  disableSearch: true,
  hideDownloadButtons: true,
  hideHostname: true,
  jsonSamplesExpandLevel: 3,
  labels: texts.redoc,
  nativeScrollbars: true,
  scrollYOffset: ".head",
  // Else the names of all branches are written out before each union, which shows them anyway.
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

/** The REST reference, from the document that the server itself serves. */
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
