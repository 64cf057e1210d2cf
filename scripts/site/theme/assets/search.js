// SPDX-License-Identifier: Apache-2.0
// What the search of the theme is given: words without the signs that mean something to it, so that one can search for --set; and for
// pages that are opened from a disk, which may not fetch files, an index and a worker from scripts.
(() => {
  const base = document.currentScript.dataset.base;
  const search = {transform: (query) => query.replace(/[^\w\s"]+/g, " ").trim()};
  window.__search = search;
  // The theme misses an index that comes while it still starts.
  const started = new Promise((done) => addEventListener("load", () => setTimeout(done, 300)));
  if (location.protocol !== "file:") {
    search.index = started.then(() => fetch(`${base}/search/search_index.json`)).then((reply) => reply.json());
    return;
  }
  search.index = new Promise((found) => { window.searchIndexIs = (index) => started.then(() => found(index)); });
  document.write(`<script src="${base}/assets/offline_worker.js"><\/script>` +
    `<script>__search.worker = URL.createObjectURL(new Blob([searchWorker]));<\/script>` +
    `<script async src="${base}/assets/offline_index.js"><\/script>`);
})();
