import type { RedocRawOptions } from "redoc";

/** The colours of `frame.css`. Redoc computes shades of its colours, so it can't use CSS variables. */
const LIGHT = {
  paper: "#fbfaf7",
  raised: "#ffffff",
  ink: "#1d2b27",
  faint: "#5c6b66",
  line: "#dfe3dd",
  felt: "#1f7a63",
  red: "#b3261e",
  samples: "#1c2b2a",
};

const DARK: typeof LIGHT = {
  paper: "#141a1d",
  raised: "#1c2428",
  ink: "#e6ece9",
  faint: "#9aa8a3",
  line: "#313c40",
  felt: "#5cc4a6",
  red: "#ff8a80",
  samples: "#0e1416",
};

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const MONO = 'ui-monospace, "SF Mono", "Fira Code", Menlo, Consolas, monospace';

/** The colours and fonts of the pages, for Redoc. */
export function theme(dark: boolean): NonNullable<RedocRawOptions["theme"]> {
  const c = dark ? DARK : LIGHT;
  return {
    colors: {
      primary: { main: c.felt },
      success: { main: c.felt },
      error: { main: c.red },
      text: { primary: c.ink, secondary: c.faint },
      border: { dark: c.line, light: c.line },
      responses: {
        success: { color: c.felt },
        error: { color: c.red },
      },
    },
    schema: { nestedBackground: c.paper, linesColor: c.line, typeNameColor: c.faint, typeTitleColor: c.faint },
    typography: {
      fontSize: "15px",
      fontFamily: SANS,
      headings: { fontFamily: SANS, fontWeight: "650" },
      code: { fontFamily: MONO, fontSize: "13px", color: c.felt, backgroundColor: c.raised },
      links: { color: c.felt, visited: c.felt },
    },
    sidebar: { width: "280px", backgroundColor: c.raised, textColor: c.ink, activeTextColor: c.felt },
    rightPanel: { backgroundColor: c.samples, textColor: "#ffffff" },
  };
}
