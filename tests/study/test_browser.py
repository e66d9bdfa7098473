"""The page in a browser: nothing goes wrong, nothing leaves, it can be used, it can be read by everybody."""

import json
import shutil
from importlib.resources import files

import pytest

from suffice.study import Study

from .reports import page, study

CHROME = next(
    (path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None
)
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars --force-prefers-reduced-motion"
)
OWN = ("data:", "chrome:")  # what is in the page, and the empty tab a browser starts with
SHOWN = ("regression", "binary", "exploration", "hostile")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROME is None or DRIVER is None,
        reason="no Chromium with chromedriver on this machine: the page is not tried in one",
    ),
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROME
    for flag in (*FLAGS.split(), f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def addresses(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for kind in SHOWN:
        (folder / f"{kind}.html").write_text(page(kind), encoding="utf-8")
    return {kind: (folder / f"{kind}.html").as_uri() for kind in SHOWN}


def _open(browser, address, *, width=1280, scheme="light"):
    media = [{"name": "prefers-color-scheme", "value": scheme}]
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(address)


def _unfold(browser):
    browser.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")


@pytest.mark.parametrize("kind", SHOWN)
def test_nothing_goes_wrong_and_nothing_leaves_the_page(kind, browser, addresses):
    _open(browser, addresses[kind])
    browser.execute_script("window.scrollTo(0, document.body.scrollHeight)")
    assert browser.get_log("browser") == []
    asked = []
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            asked.append(message["params"]["request"]["url"])
    assert [url for url in asked if not url.startswith(OWN)] == [addresses[kind]]


def test_the_policy_stops_what_slips_in(browser, addresses):
    _open(browser, addresses["binary"])
    browser.execute_script(
        "window.refused = [];"
        "document.addEventListener('securitypolicyviolation', (e) => refused.push(e.effectiveDirective));"
        "const s = document.createElement('script'); s.textContent = 'window.slipped = 1'; document.body.append(s);"
        "const i = new Image(); i.src = 'http://127.0.0.1:9/x.png'; document.body.append(i);"
    )
    refused = browser.execute_async_script("setTimeout(() => arguments[0](window.refused), 200)")
    assert set(refused) == {"script-src-elem", "img-src"}
    assert browser.execute_script("return window.slipped") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", SHOWN[:3])
def test_axe_finds_nothing_serious(kind, scheme, browser, addresses):
    _open(browser, addresses[kind], scheme=scheme)
    _unfold(browser)
    browser.execute_script(files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = browser.execute_async_script("axe.run().then(arguments[0])")
    assert found["passes"]
    grave = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
    assert [(v["id"], v["nodes"][0]["html"][:200], v["nodes"][0]["failureSummary"]) for v in grave] == []


@pytest.mark.parametrize("kind", SHOWN)
def test_the_first_screen_holds_the_whole_answer(kind, browser, addresses):
    _open(browser, addresses[kind], width=1200)
    result = study(kind)
    shown = browser.find_elements("css selector", "#answer > p, #answer .tile")
    assert len(shown) == 1 + len(result.answer.sentences) + len(result.answer.tiles)
    for part in (browser.find_element("css selector", "h1"), *shown):
        assert part.is_displayed()
        assert part.rect["y"] + part.rect["height"] <= 900
    assert (
        browser.find_element("css selector", "header time").get_attribute("datetime") == result.appendix.made
    )


CLIPPED = """
const out = [], seen = (e) => e.getClientRects().length && getComputedStyle(e).visibility !== 'hidden';
if (document.documentElement.scrollWidth > innerWidth) out.push('the page');
for (const e of document.querySelectorAll('body *')) {
  if (e.closest('svg, .skip, pre') || !seen(e)) continue;
  const box = e.getBoundingClientRect(), scrolls = e.closest('.scroll');
  if (!scrolls && box.right > innerWidth + 0.5) out.push(e.outerHTML.slice(0, 120));
  const hides = getComputedStyle(e).overflowX !== 'visible' && !e.matches('.scroll');
  if (hides && e.scrollWidth > e.clientWidth + 1) out.push('hidden: ' + e.outerHTML.slice(0, 120));
  if (e.matches('.scroll') && innerWidth >= 1000 && e.scrollWidth > e.clientWidth + 1) out.push('wide: ' + e.ariaLabel);
}
for (const chart of document.querySelectorAll('svg.chart')) {
  if (!seen(chart)) continue;
  const frame = chart.getBoundingClientRect();
  for (const text of chart.querySelectorAll('text')) {
    const box = text.getBoundingClientRect();
    const beyond = [frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom];
    if (Math.max(...beyond) > 2) out.push('label: ' + chart.parentNode.dataset.figure + ': ' + text.textContent);
  }
}
return out;
"""


@pytest.mark.parametrize(("width", "scheme"), [(375, "dark"), (1000, "light"), (1200, "light")])
@pytest.mark.parametrize("kind", SHOWN)
def test_nothing_is_clipped(kind, width, scheme, browser, addresses):
    _open(browser, addresses[kind], width=width, scheme=scheme)
    assert browser.execute_script(CLIPPED) == []
    _unfold(browser)
    assert browser.execute_script(CLIPPED) == []


OVERLAPS = """
const out = [];
for (const chart of document.querySelectorAll('svg.chart')) {
  const boxes = Array.from(chart.querySelectorAll('text'), (t) => [t.textContent, t.getBoundingClientRect()])
    .filter(([words, b]) => words.trim() && b.width && b.width < 3 * b.height * words.length && b.height < 30);
  boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
    const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const tall = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (wide > 1 && tall > 4) out.push(chart.parentNode.dataset.figure + ': ' + a + ' / ' + b);
  }));
}
return out;
"""


@pytest.mark.parametrize("width", [375, 1200])
@pytest.mark.parametrize("kind", ["regression", "binary"])
def test_labels_of_figures_do_not_overlap(kind, width, browser, addresses):
    _open(browser, addresses[kind], width=width)
    _unfold(browser)
    assert browser.execute_script("return document.querySelectorAll('svg.chart text').length") > 40
    assert browser.execute_script(OVERLAPS) == []


def test_folded_parts_open_by_a_click_and_by_a_link(browser, addresses):
    _open(browser, addresses["regression"])
    folds = browser.find_elements("css selector", "section.folded > details")
    assert len(folds) == 5
    assert not any(fold.get_attribute("open") for fold in folds)
    table = browser.find_element("css selector", "#data_sheet table")
    assert not table.is_displayed()
    folds[1].find_element("css selector", "summary").click()
    assert table.is_displayed()
    browser.execute_script("document.querySelector('nav a[href=\"#candidates\"]').click()")
    browser.execute_async_script("setTimeout(arguments[0], 60)")
    assert browser.find_element("css selector", "#candidates table").is_displayed()


@pytest.mark.parametrize("kind", SHOWN)
def test_the_page_is_not_wider_than_the_narrowest_window(kind, browser, addresses):
    _open(browser, addresses[kind], width=320)
    _unfold(browser)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 320


def test_tables_are_sorted_by_a_click_and_by_the_keyboard(browser, addresses):
    from selenium.webdriver.common.keys import Keys

    _open(browser, addresses["regression"])
    _unfold(browser)
    table = browser.find_element("css selector", "#comparison table.sortable")

    def column(k):
        return browser.execute_script(
            "return Array.from(arguments[0].tBodies[0].rows, (r) => r.cells[arguments[1]].dataset.v)",
            table,
            k,
        )

    losses = [m.estimate for m in study("regression").comparison.models]
    heading = table.find_elements("css selector", "thead th")[1]
    assert heading.get_attribute("aria-sort") is None
    button = heading.find_element("css selector", "button")
    button.click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert [float(v) for v in column(1)] == sorted(losses)
    button.send_keys(Keys.ENTER)
    assert heading.get_attribute("aria-sort") == "descending"
    assert [float(v) for v in column(1)] == sorted(losses, reverse=True)
    other = table.find_elements("css selector", "thead th")[6]
    other.find_element("css selector", "button").click()
    assert heading.get_attribute("aria-sort") is None
    shown = column(6)
    assert shown == sorted(shown, key=lambda v: (v == "", float(v or 0)))


def test_the_slider_moves_the_matrix(browser, addresses):
    _open(browser, addresses["binary"])
    t = study("binary").predictive.thresholds
    slider = browser.find_element("css selector", "#cut")
    assert slider.is_displayed()

    def words(what):
        return browser.find_element("css selector", f"#threshold [{what}]").text

    for at in (0, 20, len(t.threshold) // 2, len(t.threshold) - 1):
        browser.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", slider, at
        )
        tp, fp, tn, fn = (
            v[at] for v in (t.true_positive, t.false_positive, t.true_negative, t.false_negative)
        )
        assert [float(words(f'data-cell="{n}"')) for n in ("tp", "fp", "tn", "fn")] == [tp, fp, tn, fn]
        assert float(browser.find_element("css selector", "#cut-value").text) == pytest.approx(
            t.threshold[at]
        )
        rates = {
            "accuracy": (tp + tn, tp + fp + tn + fn),
            "precision": (tp, tp + fp),
            "recall": (tp, tp + fn),
        }
        for name, (part, whole) in rates.items():
            shown = words(f'data-rate="{name}"')
            if whole:
                assert float(shown.removesuffix("\u202f%")) == pytest.approx(100 * part / whole, abs=0.0501)
            else:
                assert shown == "–"
    slider.send_keys("\ue012")  # the left arrow key
    assert int(slider.get_attribute("value")) == len(t.threshold) - 2


def test_without_script_it_is_a_plain_document(browser, addresses):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        _open(browser, addresses["binary"])
        assert not browser.find_element("css selector", "#cut").is_displayed()
        assert not browser.find_element("css selector", "#copy").is_displayed()
        assert browser.find_elements("css selector", "thead th button") == []
        assert browser.find_element("css selector", '[data-cell="tp"]').text.isdigit()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_the_first_stop_of_the_keyboard_is_the_way_to_the_answer(browser, addresses):
    _open(browser, addresses["regression"])
    browser.find_element("css selector", "body").send_keys("\ue004")  # the tab key
    link = browser.switch_to.active_element
    assert link.text == "Skip to the answer"
    assert link.rect["x"] >= 0
    link.send_keys("\ue007")  # the enter key
    assert browser.execute_script("return document.activeElement.id") == "answer"


@pytest.mark.parametrize("width", [375, 500])
def test_names_of_columns_are_not_broken_where_the_table_can_scroll(browser, tmp_path, width):
    names = ["demand_a_week_ago_in_mwh", "forecast_celsius", "x" * 200]
    result = Study({name: [float(i) for i in range(30)] for name in names}).run()
    (tmp_path / "names.html").write_text(result.to_html(), encoding="utf-8")
    _open(browser, (tmp_path / "names.html").as_uri(), width=width)
    _unfold(browser)
    lines = browser.execute_script(
        "return [...document.querySelectorAll('#data_sheet tbody th')].map((th) => {"
        "const r = document.createRange(); r.selectNodeContents(th.firstChild); return r.getClientRects().length; })"
    )
    assert lines[:2] == [1, 1]
    assert lines[2] > 1  # what no screen is wide enough for is broken all the same
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
