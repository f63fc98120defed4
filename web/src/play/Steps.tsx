import { useEditorContext } from "@graphiql/react";
import { useState } from "react";
import { flushSync } from "react-dom";
import type { KindSummary } from "../shared/kinds";
import { texts } from "../texts";
import { filledIn } from "./memory";
import { stepsOf, type Step } from "./steps";

type StepName = keyof typeof texts.stepNames;

/** Opens a step in its tab, a new one unless it has been opened before, with what is known filled in. */
function useOpen(): (step: Step) => void {
  const editors = useEditorContext({ nonNull: true });
  return (step) => {
    const variables = filledIn(step.variables);
    const open = editors.tabs.findIndex((tab) => tab.title === step.name);
    const untouched = editors.tabs.length === 1 && !editors.queryEditor?.getValue().trim();
    // At once, because changing a tab overwrites what the editors show.
    if (open >= 0) flushSync(() => editors.changeTab(open));
    else if (!untouched) flushSync(() => editors.addTab());
    editors.queryEditor?.setValue(step.query);
    editors.variableEditor?.setValue(variables);
    editors.updateActiveTabValues({ query: step.query, variables, operationName: step.name });
  };
}

/** The steps of a game of the chosen kind, in the order in which a game takes them. */
export function Steps({ kinds }: { kinds: readonly KindSummary[] }) {
  const [kind, setKind] = useState(kinds[0]?.kind ?? "");
  const [current, setCurrent] = useState<string | null>(null);
  const open = useOpen();
  const hint = current ? texts.stepHints[current as StepName] : texts.welcome;
  return (
    <section className="steps" aria-label={texts.steps}>
      <label>
        <span className="unseen">{texts.kind}</span>
        <select value={kind} onChange={(event) => setKind(event.target.value)}>
          {kinds.map(({ kind, name }) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ol>
        {stepsOf(kind).map((step) => (
          <li key={step.name}>
            <button
              type="button"
              data-step={step.name}
              aria-pressed={step.name === current}
              onClick={() => {
                open(step);
                setCurrent(step.name);
              }}
            >
              {texts.stepNames[step.name as StepName] ?? step.name}
            </button>
          </li>
        ))}
      </ol>
      <p aria-live="polite">{hint}</p>
    </section>
  );
}
