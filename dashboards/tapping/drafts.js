// -- drafts, kept by the browser ----------------------------------------------------------------

const MOST_STEPS = 500; // of a draft that are kept to be undone

/** Drafts in a storage of the browser, each under a key of its own, so that two windows never mix them up.
 *  What is read from there may be anything: it is looked at before it is used. */
function shelfOf(storage, prefix) {
  const attempt = (act, otherwise) => {
    try {
      return act();
    } catch {
      return otherwise; // storage that is full, forbidden, or holds what nobody here wrote
    }
  };
  const isLog = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  const OPEN_NOW = "="; // under this name: which one was open last

  function read(id) {
    return attempt(() => {
      if (id.length > 80) return null;
      const kept = JSON.parse(storage.getItem(prefix + id));
      const { draft, name, changed, text } = kept;
      if (!isLog(draft?.base) || !Array.isArray(draft.steps) || !Number.isInteger(draft.at)) return null;
      return { id, draft, name: String(name ?? "").slice(0, 80), changed: Number(changed) || 0, text: typeof text === "string" ? text : null };
    }, null);
  }

  return {
    read,
    list: () => attempt(() => Object.keys(storage).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)).filter((id) => id !== OPEN_NOW)
      .map((id) => read(id) ?? { id, broken: true, name: "", changed: 0 }).sort((a, b) => b.changed - a.changed), []),
    save: (kept) => attempt(() => (storage.setItem(prefix + kept.id, JSON.stringify({ ...kept, id: undefined })), true), false),
    remove: (id) => attempt(() => storage.removeItem(prefix + id)),
    opened: () => attempt(() => storage.getItem(prefix + OPEN_NOW), null),
    open: (id) => attempt(() => storage.setItem(prefix + OPEN_NOW, id)),
  };
}

const newDraft = (base, steps = []) => ({ format: "tienlen-draft/1", base, steps, at: steps.length, cursor: null });
