// What happens when the page opens: what is seen first comes first.

for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;

if (papers) {
  if (paperCount <= charts.most_rows) byId("chart-curve")?.closest("figure").remove(); // the chart of intervals shows them all
  startTable();
  startCards();
  showMovers();
  if (paperCount > charts.many_points) drawMovedWhenNear();
  foldDiscussion();
  byId("see-discussed")?.addEventListener("click", () => {
    byId("filter-proposal").value = "discuss";
    changeTable({ proposal: "discuss", key: "rank", descending: false });
    byId("ranking").scrollIntoView();
  });
}
window.setTimeout(() => {
  drawVenueCharts();
  Promise.all(drawing).then(() => {
    document.documentElement.dataset.ready = "yes";
  });
}, 30);
