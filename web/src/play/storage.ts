import type { Storage } from "@graphiql/toolkit";

/** GraphiQL's storage: vanishes with the browser tab. Clearing it keeps the guests, who are stored beside it. */
export const storage: Storage = {
  getItem: (key) => sessionStorage.getItem(key),
  setItem: (key, value) => sessionStorage.setItem(key, value),
  removeItem: (key) => sessionStorage.removeItem(key),
  get length() {
    return keys().length;
  },
  clear: () => keys().forEach((key) => sessionStorage.removeItem(key)),
};

function keys(): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith("graphiql:"));
}
