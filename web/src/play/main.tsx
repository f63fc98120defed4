import "graphiql/style.css";
import "./play.css";
import { DOC_EXPLORER_PLUGIN, DocExplorerContextProvider } from "@graphiql/plugin-doc-explorer";
import { HISTORY_PLUGIN, HistoryContextProvider } from "@graphiql/plugin-history";
import { GraphiQL, GraphiQLInterface, GraphiQLProvider } from "graphiql";
import { Head, show } from "../shared/frame";
import { useQuery } from "../shared/kinds";
import { texts } from "../texts";
import { fetcher } from "./fetcher";
import { LivePane } from "./LivePane";
import { PlayingAs } from "./PlayingAs";
import { Steps } from "./Steps";
import { KINDS, type PlayableKind } from "./steps";
import { storage } from "./storage";

const PLUGINS = [DOC_EXPLORER_PLUGIN, HISTORY_PLUGIN];

/** GraphiQL, with the guests and the steps of a game above it and the live pane below it. */
function Playground() {
  const kinds = useQuery<{ kinds: PlayableKind[] }>(KINDS);
  return (
    <div className="playground">
      <Head page="/playground">
        <PlayingAs />
      </Head>
      <GraphiQLProvider
        fetcher={fetcher}
        storage={storage}
        defaultQuery=""
        plugins={PLUGINS}
        referencePlugin={DOC_EXPLORER_PLUGIN}
      >
        <HistoryContextProvider>
          <DocExplorerContextProvider>
            {kinds.state === "there" && <Steps kinds={kinds.value.kinds} />}
            {kinds.state === "failed" && <p className="message">{kinds.why}</p>}
            <GraphiQLInterface forcedTheme="system" defaultEditorToolsVisibility="variables">
              <GraphiQL.Logo>{null}</GraphiQL.Logo>
            </GraphiQLInterface>
          </DocExplorerContextProvider>
        </HistoryContextProvider>
      </GraphiQLProvider>
      <LivePane />
    </div>
  );
}

show(texts.playground, <Playground />);
