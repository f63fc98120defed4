import type { Storage } from "@graphiql/toolkit";

/** Where GraphiQL keeps its tabs: until this browser tab is closed, and apart from the guests, who outlive a clearing. */
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
