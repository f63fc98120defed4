import { useEditorContext } from "@graphiql/react";
import { useEffect, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { texts } from "../texts";
import { filledIn } from "./memory";
import { stepsOf, type PlayableKind, type Step } from "./steps";

type StepName = keyof typeof texts.stepNames;

/** An editor without a change by the user: GraphiQL's welcome is only comments. */
const UNTOUCHED = /^(\s|#.*)*$/;

/**
 * Returns a function that opens a step in its own tab, with known variables filled in. Null until the editors are loaded,
 * which takes a little longer than the rest of the page.
 */
function useOpen(first: Step | undefined): ((step: Step) => void) | null {
  const editors = useEditorContext({ nonNull: true });
  const untouched = () => editors.tabs.length === 1 && UNTOUCHED.test(editors.queryEditor?.getValue() ?? "");
  const open = (step: Step) => {
    const variables = filledIn(step.variables);
    const tab = editors.tabs.findIndex(({ title }) => title === step.name);
    // Synchronously, because changing the tab overwrites the content of the editors.
    if (tab >= 0) flushSync(() => editors.changeTab(tab));
    else if (!untouched()) flushSync(() => editors.addTab());
    editors.queryEditor?.setValue(step.query);
    editors.variableEditor?.setValue(variables);
    editors.updateActiveTabValues({ query: step.query, variables, operationName: step.name });
  };
  const ready = Boolean(editors.queryEditor && editors.variableEditor && editors.responseEditor);
  useEffect(() => {
    if (first && ready && untouched()) open(first);
    // Once, when the editors are loaded.
  }, [ready]);
  return ready ? open : null;
}

/** Buttons for the steps of a game of the chosen kind, in the order of a game. */
export function Steps({ kinds }: { kinds: readonly PlayableKind[] }) {
  const [kind, setKind] = useState(kinds[0]?.id ?? "");
  const [current, setCurrent] = useState<string | null>(null);
  const chosen = kinds.find(({ id }) => id === kind);
  const steps = useMemo(() => (chosen ? stepsOf(chosen) : []), [chosen]);
  const open = useOpen(steps[0]);
  const hint = current ? texts.stepHints[current as StepName] : texts.welcome;
  return (
    <section className="steps" aria-label={texts.steps}>
      <label>
        <span className="unseen">{texts.kind}</span>
        <select value={kind} onChange={(event) => setKind(event.target.value)}>
          {kinds.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ol>
        {steps.map((step) => (
          <li key={step.name}>
            <button
              type="button"
              data-step={step.name}
              aria-pressed={step.name === current}
              disabled={!open}
              onClick={() => {
                open?.(step);
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
