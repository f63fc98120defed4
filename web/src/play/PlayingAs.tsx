import { useSyncExternalStore } from "react";
import { texts } from "../texts";
import { guests, MOST_GUESTS } from "./guests";

/** The guests who are signed in, the choice of the active one, and a button to add another. */
export function PlayingAs() {
  const { guests: all, active, notice } = useSyncExternalStore(guests.subscribe, guests.table);
  const add = () => void guests.signIn();
  const playing = guests.active();
  return (
    <div className="playing">
      {notice && <output className="notice">{notice}</output>}
      {all.length > 0 && (
        <fieldset className="seats">
          <legend>{texts.playingAs}</legend>
          {all.map((guest) => (
            <label key={guest.id}>
              <input
                type="radio"
                name="guest"
                checked={guest.id === active}
                onChange={() => guests.choose(guest.id)}
              />
              {guest.name}
            </label>
          ))}
          <label title={texts.nobodyHint}>
            <input type="radio" name="guest" checked={active === null} onChange={() => guests.choose(null)} />
            {texts.nobody}
          </label>
        </fieldset>
      )}
      {all.length === 0 && (
        <button type="button" className="primary" onClick={add}>
          {texts.signIn}
        </button>
      )}
      {all.length > 0 && all.length < MOST_GUESTS && (
        <button type="button" onClick={add} title={texts.addGuestHint}>
          + {texts.addGuest}
        </button>
      )}
      {playing && (
        <button type="button" className="plain" onClick={() => void guests.signOut(playing)}>
          {texts.signOut(playing.name)}
        </button>
      )}
    </div>
  );
}
