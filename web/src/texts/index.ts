import { en, type Texts } from "./en";
import { fr } from "./fr";

const languages = { en, fr } as const;
type Language = keyof typeof languages;

/** The first supported language of the browser's list, which the browser also sends to the server. */
export const language: Language =
  navigator.languages
    .map((tag) => tag.toLowerCase().split("-")[0])
    .find((tag): tag is Language => tag === "en" || tag === "fr") ?? "en";

export const texts: Texts = languages[language];
