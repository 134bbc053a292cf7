# SPDX-License-Identifier: MIT
"""usage: browser.py ROOT BUILD [all]

A running scene in Chromium and Firefox: sliders and the pointer act in the direction that they should, a reset gives the
same bits again, in both browsers; errors keep the last rules, a law that never returns is ended; what is saved opens; nothing
on the console, and no request but for files. With `all` also links, folders, and the examples of docs/live.md."""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from gzip import compress
from pathlib import Path

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
except ImportError:
    print("selenium is not installed (Debian: python3-selenium)")
    sys.exit(77)

root, build = map(Path, sys.argv[1:3])
whole = "all" in sys.argv[3:]  # also what takes a minute: scripts/long BUILD live
sys.path.insert(0, str(root / "tests/support"))
from marionette import Marionette

if not Path("/usr/bin/chromedriver").exists():
    print("chromium is not installed (Debian: chromium-driver)")
    sys.exit(77)
environment = dict(os.environ, PCM_PLUGIN_PATH=str(build / "plugins"), PKG_CONFIG_PATH=str(build / "meson-uninstalled"))

slope = """<mujoco model="slope"><option timestep="0.0005" gravity="1.703 0 -9.661"/>
<asset><material name="Ice" rgba="0.7 0.9 1 1"/><material name="Wood" rgba="0.7 0.5 0.3 1"/></asset>
<worldbody><geom name="Floor" type="plane" size="5 5 0.1" material="Wood"/>
<body name="Cube" pos="0 0 0.05"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="1" material="Ice"/></body>
</worldbody></mujoco>"""
slides = "ContactType Slide = CompliantGround { Friction = 0.05; };\nSurfacePair Wood * Ice -> Slide;\n"


def pcm(*words):
    return subprocess.run([build / "tools/pcm", *words], env=environment, capture_output=True, text=True)


def write(work, name, scene, rules, *options):
    (work / f"{name}.xml").write_text(scene)
    (work / f"{name}.pcm").write_text(rules)
    out = work / f"{name}.html"
    made = pcm("live", work / f"{name}.xml", work / f"{name}.pcm", *(options or ("--out", out)))
    assert made.returncode == 0, made.stderr
    return out


def browse(downloads, *more):
    options = webdriver.ChromeOptions()
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads), "profile.default_content_setting_values.automatic_downloads": 1})
    for argument in ("--headless=new", "--no-sandbox", "--window-size=1300,900", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", *more):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_script_timeout(300)
    return driver


def until(good, what, seconds=40):
    end = time.monotonic() + seconds
    while not good():
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.02)


class Page:
    def __init__(self, driver, address):
        self.driver = driver
        driver.get("about:blank")
        driver.get(address if isinstance(address, str) else address.as_uri())
        until(lambda: self.script("return document.body.dataset.ready ?? document.body.dataset.failed"), "the page")

    def script(self, text, *values):
        return self.driver.execute_script(text, *values)

    def wait(self, text, *values):
        """Runs an async function."""
        return self.driver.execute_async_script(
            f"const done = arguments[arguments.length - 1]; (async (...given) => {{ {text} }})(...arguments).then(done)", *values)

    def advance(self, seconds):
        """Lets that much time pass, and returns qpos."""
        return self.wait("await pcm.advance(given[0], 0, true); return pcm.motion.qpos", seconds)

    def reset(self):
        self.wait("await pcm.reset(-1)")

    def type(self, text):
        self.script("const t = document.getElementById('text'); t.value = arguments[0]; t.dispatchEvent(new Event('input'))", text)
        until(lambda: not self.script("return pcm.reading"), "an answer")

    def text(self):
        return self.script("return document.getElementById('text').value")

    def says(self, place="diagnostics"):
        return self.script("return document.getElementById(arguments[0]).innerText", place)

    def slide(self, name, place):
        self.script("const s = document.querySelector(`[data-name='${arguments[0]}'] input[type=range]`); s.value = arguments[1]; s.dispatchEvent(new Event('input'))", name, place)
        until(lambda: not self.script("return pcm.reading"), "an answer")

    def is_quiet(self):
        messages = [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        assert not messages, messages
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                assert url.startswith(("file:", "data:", "blob:", "about:")), url


def sliders_act(page):
    """The friction of ice: the cube slides by the same law as before, then less."""
    far = page.advance(0.5)[0]
    free = 0.5 * (1.703 - 0.05 * 9.661) * 0.25
    assert abs(far - free) < 0.01 * free, (far, free)
    page.reset()
    page.slide("Friction", 850)
    assert "Friction = " in page.text() and "Friction = 0.05;" not in page.text(), page.text()
    assert page.advance(0.5)[0] < 0.1 * far
    page.type(slides)


def everything_has_a_name(page):
    """What the keyboard reaches says what it is, and the keys do what the buttons do."""
    unnamed = page.script(
        "return [...document.querySelectorAll('button, input, select, textarea')].filter((e) => !e.hidden && "
        "!(e.innerText?.trim() && e.tagName === 'BUTTON') && !e.getAttribute('aria-label') && !e.closest('label')).map((e) => e.outerHTML)")
    assert not unnamed, unnamed
    assert page.script("return document.documentElement.lang") == "en"
    page.reset()
    page.advance(0.1)
    page.driver.find_element("css selector", "body").send_keys("r")
    until(lambda: page.script("return pcm.record.times.length") == 1, "a reset by its key")
    theme = "return document.documentElement.dataset.theme"
    before = page.script(theme)
    page.driver.find_element("css selector", "#theme").click()
    assert page.script(theme) != before


def resets_repeat(page):
    page.reset()
    first = page.advance(0.4)
    page.reset()
    assert page.advance(0.4) == first
    return first


def errors_keep_the_rules(page):
    page.reset()
    page.type(slides.replace("Friction", "Frictoin"))
    assert "did you mean 'Friction'" in page.says(), page.says()
    assert page.script("return [...document.querySelectorAll('#marks mark')].map((m) => m.textContent)") == ["Frictoin"]
    assert page.advance(0.5)[0] > 0.1
    page.type(slides.replace(" };", " }"))
    assert 'fix: ;' in page.says(), page.says()
    page.script("document.querySelector('#diagnostics .fix').click()")
    until(lambda: not page.says(), "the mended text")
    page.type("ContactType Slide = HuntCrossley + CoulombRegularised { Friction = 0.9; };\nSurfacePair Wood * Ice -> Slide;\n")
    assert not page.says(), page.says()
    page.advance(1)
    assert page.script("const r = pcm.record; let law; r.eachContact(r.times.length - 1, (contact) => (law = r.typeOf(contact).law)); return law") == "HuntCrossley + CoulombRegularised"
    page.type(slides)


def a_pulled_body_follows(page):
    """Dragged upward by the pointer, the cube rises; let go, it falls."""
    page.reset()
    x, y = page.script("return pcm.view.pixelOfSubject(1)")
    canvas = page.driver.find_element("css selector", "#view canvas")
    width, height = page.script("return [pcm.view.into.clientWidth, pcm.view.into.clientHeight]")
    at = (int(x - width / 2), int(y - height / 2))
    ActionChains(page.driver).move_to_element_with_offset(canvas, *at).click_and_hold().move_by_offset(0, -270).perform()
    page.advance(0.5)
    risen = page.script("return pcm.motion.qpos")[2]
    ActionChains(page.driver).release().perform()
    page.advance(1)
    assert risen > 0.07 and page.script("return pcm.motion.qpos")[2] < 0.052, (risen, page.script("return pcm.motion.qpos"))
    page.reset()
    page.script("pcm.push()")
    page.wait("await pcm.settled()")
    ahead = page.script("return pcm.view.ahead()")
    before = page.advance(0.02)
    moved = sum(ahead[k] * before[k] for k in range(2))
    assert 0.005 < moved < 0.02, (ahead, before)


def it_runs_by_the_clock(page):
    page.reset()
    page.script("document.getElementById('play').click()")
    until(lambda: float(page.script("return pcm.record.times.at(-1)")) > 0.5, "half a second")
    page.script("document.getElementById('play').click()")
    page.wait("await pcm.settled()")
    frames = page.script("return pcm.record.times.length")
    assert frames > 3 and page.script("return document.querySelectorAll('.lane').length") == 1
    page.script("document.querySelector('.lane').click()")
    assert "Slide: CompliantGround" in page.says("details"), page.says("details")
    page.script("const s = document.getElementById('time'); s.value = 1; s.dispatchEvent(new Event('input'))")
    assert page.script("return document.body.dataset.frame") == "1"


def what_is_saved_opens(page, work):
    for button in ("save", "save-replay"):
        page.script("document.getElementById(arguments[0]).click()", button)
    saved, replay = work / "slope.pcm.saved", work / "slope (1).html"
    until(lambda: replay.exists() and (work / "slope (1).pcm").exists(), "what was saved")
    (work / "slope (1).pcm").rename(saved)
    assert saved.read_text() == page.text()
    made = pcm("replay", replay, "--csv", work / "tables")
    assert made.returncode == 0, made.stderr
    with open(work / "tables/contacts.csv") as file:
        rows = list(csv.DictReader(file))
    counts = page.script("const r = pcm.record; return [r.times.length, r.times.reduce((sum, _, i) => sum + r.contactCount(i), 0)]")
    assert len(rows) == counts[1] > 3, (len(rows), counts)
    last = page.script("const r = pcm.record; let all = []; r.eachContact(r.times.length - 1, (c, rows, i) => all.push(rows.forceN[i])); return all")
    force = next(name for name in rows[0] if name.startswith("force_n"))
    clock = next(name for name in rows[0] if name.startswith("t"))
    told = sorted(float(row[force]) for row in rows if float(row[clock]) == max(float(each[clock]) for each in rows))
    assert len(told) == len(last) and all(abs(a - b) < 1e-4 * abs(b) for a, b in zip(told, sorted(last))), (told, last)
    page.driver.get(replay.as_uri())
    until(lambda: page.script("return document.body.dataset.ready"), "the replay")
    assert int(page.script("return document.body.dataset.ready")) == counts[0]
    assert not page.says("faults")


def a_link_holds_the_text(driver, path):
    page = Page(driver, path)
    wanted = slides.replace("0.05", "0.25")
    page.type(wanted)
    until(lambda: page.script("return location.hash.length") > 10, "the address")
    address = page.script("return location.href")
    assert Page(driver, address).text() == wanted
    assert "no text" in Page(driver, f"{path.as_uri()}#nonsense").says("faults")


endless = """#include <pcm/plugin.h>
typedef struct Law { double rounds; } Law;
static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        volatile double sum = 0;
        for (double k = 0; k < law.rounds; k++) sum += k;
        b->force_n[i] = 1e4 * pcm_ramp(b->depth[i]);
    }
}
static const pcm_param params[] = {PCM_REAL(Law, rounds, "Rounds", "1", 1, "how long it takes", .min = 0)};
PCM_KERNELS(update);
PCM_MODEL(Endless, "A law that takes its time", .params = PCM_TABLE(params), .inputs = PCM_DEPTH);
"""


def a_law_that_never_returns_is_ended(driver, work, path):
    (work / "Endless.c").write_text(endless)
    subprocess.run([root / "web/law.sh", root / "include", work / "Endless.c", work / "Endless.wasm"], check=True)
    law = json.dumps({"name": "Endless", "module": b64encode(compress((work / "Endless.wasm").read_bytes())).decode()})
    (work / "endless.html").write_text(path.read_text().replace('"laws": [', f'"laws": [{law}, ', 1))
    page = Page(driver, work / "endless.html")
    page.advance(0.1)
    page.type("ContactType Slide = Endless { Rounds = 1e13; };\nSurfacePair Wood * Ice -> Slide;\n")
    assert not page.says(), page.says()
    page.script("pcm.runner.limit = 1500; pcm.advance(0.1)")
    until(lambda: "did not return" in page.says("faults"), "the end of the law")
    page.type(slides)
    page.reset()
    assert page.advance(0.5)[0] > 0.1


def hostile_scenes(driver, work):
    """Names with HTML stay text; a scene that MuJoCo refuses is told with its line; an ellipsoid stays MuJoCo's."""
    evil = "&lt;img src=x onerror=document.title='hurt'&gt;"
    scene = slope.replace('model="slope"', f'model="{evil}"').replace('body name="Cube"', f'body name="{evil}"')
    page = Page(driver, write(work, "evil", scene, "ContactType A = CompliantGround {};\nDefaultPair -> A;\n"))
    page.advance(0.2)
    page.script("pcm.showRarely(); document.querySelector('.lane').click()")
    assert "onerror" in page.says("title") and "onerror" in page.says("details"), (page.says("title"), page.says("details"), page.says("lanes"), page.says("faults"))
    assert page.script("return document.querySelectorAll('img').length") == 0 and page.script("return document.title") != "hurt"
    page.is_quiet()
    (work / "wrong.xml").write_text("<mujoco>\n<worldbody><geom type='round'/></worldbody></mujoco>")
    pcm("live", work / "wrong.xml", work / "slope.pcm", "--out", work / "wrong.html")
    page = Page(driver, work / "wrong.html")
    assert "round" in page.says("faults") and "line 2" in page.says("faults"), page.says("faults")
    egg = slope.replace('type="box" size="0.05 0.05 0.05"', 'type="ellipsoid" size="0.05 0.05 0.05"')
    page = Page(driver, write(work, "egg", egg, slides))
    assert "ellipsoids" in page.says("faults"), page.says("faults")
    assert abs(page.advance(0.5)[2] - 0.05) < 2e-3


def without_what_it_needs(work, path):
    driver = browse(work, "--disable-3d-apis")
    try:
        page = Page(driver, path)
        assert "no WebGL" in page.says("view") and page.advance(0.2)[0] > 0.01
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "delete globalThis.WebAssembly"})
        driver.get(path.as_uri() + "#again")
        driver.refresh()
        until(lambda: "WebAssembly switched off" in page.says("faults"), "the reason")
    finally:
        driver.quit()


def a_folder_opens(driver, work):
    write(work, "apart", slope, slides, "--out", work / "folder")
    page = Page(driver, work / "folder/index.html")
    assert page.advance(0.2)[0] > 0.01


def examples_run(driver, work):
    """Those of docs/live.md: the climber climbs, the gripper holds, the robot walks, and of five boxes the last slides."""
    page = (root / "docs/live.md").read_text()
    for language, name, text in re.findall(r"```(xml|pcm|csv) (\S+)\n(.*?)```", page, re.S):
        (work / name).write_text(text)
    subprocess.run(["sh", "-c", re.search(r"```sh\n(awk .*?)```", page, re.S)[1]], cwd=work, check=True)
    climber, trot = root / "configs/climber/climber", root / "examples/trot"
    for name, words, key, seconds, good in (
        ("climber", (f"{climber}.xml", f"{climber}.pcm", "--ctrl", f"{climber}.csv"), -1, 2, lambda at: at[2] > 0.1),
        ("gripper", (root / "configs/grip/grip.xml", work / "gripper.pcm", "--ctrl", work / "gripper.csv"), -1, 0.5, lambda at: at[5] > -1e-3),
        ("trot", (f"{trot}.xml", f"{trot}.pcm", "--ctrl", work / "trot.csv"), 0, 2, lambda at: at[0] > 0.5 and at[2] > 0.2),
        ("incline", (work / "incline.xml", work / "incline.pcm"), -1, 2, lambda at: at[28] > 0.1 > 0.03 > at[0]),
    ):
        made = pcm("live", *words, "--out", work / f"{name}.html")
        assert made.returncode == 0, made.stderr
        page = Page(driver, work / f"{name}.html")
        page.wait("await pcm.reset(given[0])", key)
        end = page.advance(seconds)
        assert good(end) and not page.script("return [...document.querySelectorAll('#faults p')].filter((p) => /stopped/.test(p.innerText)).length"), (name, end, page.says("faults"))


def pictures_are_made(driver, work):
    """By the commands, without a window: a picture of that size with many colours, and a film that plays as long."""
    picture = ("--width", "320", "--height", "200", "--time", "0.3")
    made = pcm("live", work / "slope.xml", work / "slope.pcm", "--out", work / "film.html", "--image", work / "live.png", "--video", work / "film.webm", *picture)
    assert made.returncode == 0, made.stderr
    pcm("run", work / "slope.xml", work / "slope.pcm", "--time", "0.5", "--replay", work / "run.html")
    made = pcm("replay", work / "run.html", "--image", work / "run.png", *picture)
    assert made.returncode == 0, made.stderr
    (work / "shown.html").write_text("<img src=live.png><img src=run.png><video src=film.webm></video>")
    driver.get((work / "shown.html").as_uri())
    until(lambda: driver.execute_script("return document.querySelector('video').readyState >= 2"), "the film")
    sizes = driver.execute_script("return [...document.querySelectorAll('img')].map((i) => [i.naturalWidth, i.naturalHeight])")
    film = driver.execute_script("const v = document.querySelector('video'); return [v.videoWidth, v.videoHeight, v.duration]")
    assert sizes == [[320, 200]] * 2 and film == [320, 200, 0.3], (sizes, film)
    assert min((work / name).stat().st_size for name in ("live.png", "run.png")) > 5000
    refused = pcm("replay", work / "none.html", "--image", work / "none.png")
    assert refused.returncode == 1 and "does not open" in refused.stderr, refused.stderr


def firefox_does_the_same(path, wanted):
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if not program:
        print("Firefox is not installed: the page did not run in it")
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        firefox = Marionette(program, Path(folder))
        ask = lambda script: firefox.ask("WebDriver:ExecuteScript", script=script, args=[])["value"]

        def result(script):
            ask(f"window.end = null; (async () => {{ {script} }})().then((end) => {{ window.end = end; }}); return 1")
            until(lambda: ask("return window.end ?? null"), "the motion in Firefox")
            return ask("return window.end")

        try:
            firefox.ask("WebDriver:Navigate", url=path.as_uri())
            until(lambda: ask("return document.body.dataset.ready ?? null"), "the page in Firefox")
            run = "await pcm.reset(-1); await pcm.advance(0.4, 0, true); return pcm.motion.qpos"
            assert result(run) == wanted and result(run) == wanted
            ask("const s = document.querySelector(`[data-name='Friction'] input[type=range]`); s.value = 850; s.dispatchEvent(new Event('input'))")
            until(lambda: ask("return !pcm.reading"), "an answer in Firefox")
            assert result(run)[0] < 0.1 * wanted[0]
            # Where Firefox has no WebGL nothing can be pulled, and a push goes along x.
            moved = result("await pcm.reset(-1); pcm.push(); await pcm.settled(); await pcm.advance(0.02, 0, true); return pcm.motion.qpos")
            assert 0.005 < abs(moved[0]) + abs(moved[1]) < 0.02, moved
        finally:
            firefox.quit()


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        path = write(work, "slope", slope, slides)
        driver = browse(work)
        try:
            page = Page(driver, path)
            sliders_act(page)
            end = resets_repeat(page)
            everything_has_a_name(page)
            errors_keep_the_rules(page)
            a_pulled_body_follows(page)
            it_runs_by_the_clock(page)
            page.is_quiet()
            what_is_saved_opens(page, work)
            a_law_that_never_returns_is_ended(driver, work, path)
            hostile_scenes(driver, work)
            pictures_are_made(driver, work)
            if whole:
                a_link_holds_the_text(driver, path)
                a_folder_opens(driver, work)
                examples_run(driver, work)
        finally:
            driver.quit()
        without_what_it_needs(work, path)
        firefox_does_the_same(path, end)
        print(f"a page of {path.stat().st_size / 1e6:.1f} MB")


main()
