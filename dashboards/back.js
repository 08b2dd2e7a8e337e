// Streamlit goes to another page in two steps, first its query on the page that is left, then its path: the browser's
// Back would end between them, on a page with another's query. The second step takes the place of the first.
if (!window.tienlenSteps) {
  const push = history.pushState;
  let half = null;
  window.tienlenSteps = true;
  history.pushState = (state, title, url) => {
    const from = new URL(location.href);
    const to = new URL(url, from);
    const second = half === from.href && to.search === from.search && to.pathname !== from.pathname;
    half = to.pathname === from.pathname ? to.href : null;
    if (half) setTimeout(() => (half = null), 1000);
    return (second ? history.replaceState : push).call(history, state, title, url);
  };
}
