import "./frame.css";
import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { language, texts } from "../texts";
import icon from "./icon.svg";

const PAGES = [
  { path: "/playground", name: texts.playground },
  { path: "/docs", name: texts.reference },
  { path: "/docs/kinds", name: texts.kinds },
] as const;

type Path = (typeof PAGES)[number]["path"];

/** The header of every page, with the navigation. */
export function Head({ page, children }: { page: Path; children?: ReactNode }) {
  return (
    <header className="head">
      <a className="brand" href="/playground">
        <img src={icon} alt="" width="26" height="26" />
        Ludotheque
      </a>
      <nav aria-label={texts.pages}>
        {PAGES.map(({ path, name }) => (
          <a key={path} href={path} aria-current={path === page ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {children ?? (
        <a className="aside" href="/docs/licences">
          {texts.licences}
        </a>
      )}
    </header>
  );
}

/** Renders a page, in the reader's language. */
export function show(title: string, page: ReactNode): void {
  document.documentElement.lang = language;
  document.title = `${title} – Ludotheque`;
  const root = document.getElementById("page");
  if (!root) throw new Error("the page has no element #page");
  createRoot(root).render(<StrictMode>{page}</StrictMode>);
}
