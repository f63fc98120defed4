import { en, type Texts } from "./en";
import { fr } from "./fr";

const spoken = { en, fr } as const;
type Language = keyof typeof spoken;

/** The first language of the browser's that we speak; the server chooses by the same list, which the browser sends. */
export const language: Language =
  navigator.languages
    .map((tag) => tag.toLowerCase().split("-")[0])
    .find((tag): tag is Language => tag === "en" || tag === "fr") ?? "en";

export const texts: Texts = spoken[language];
