// -- a file of its own --------------------------------------------------------------------------

const { view, labels, lang } = JSON.parse(document.getElementById("data").textContent);
const asked = () => Number(/^#event=(\d{1,4})$/.exec(location.hash)?.[1] ?? -1);
const linkTo = (k) => location.href.split("#")[0] + (k < 0 ? "" : `#event=${k}`);
let waiting;

function onEvent(k) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    try {
      history.replaceState(null, "", linkTo(k));
    } catch {
      // Some phones open a file under an address that must not change: then it stays.
    }
  }, 120);
}

const table = mountTable(document.body, view, { lang, event: asked(), labels, linkTo, onEvent });
const languages = [...document.querySelectorAll("[data-lang]")];

function speak(chosen) {
  document.documentElement.lang = chosen;
  for (const button of languages) button.setAttribute("aria-pressed", button.dataset.lang === chosen);
}

for (const button of languages)
  button.addEventListener("click", () => {
    speak(button.dataset.lang);
    table.show(button.dataset.lang);
  });
addEventListener("hashchange", () => table.go(asked()));
speak(lang);
