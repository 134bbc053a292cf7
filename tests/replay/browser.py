# SPDX-License-Identifier: MIT
"""usage: browser.py ROOT BUILD

The page of a run in a browser: what it shows is what the logs say, it asks for nothing over the network, its console stays
empty, and it bears pages without contacts, hostile names, damage, and a browser without WebGL."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("selenium is not installed (Debian: python3-selenium)")
    sys.exit(77)

root, build = map(Path, sys.argv[1:])
if not (build / "web/replay.html").exists():
    print("the page is not built (Debian: npm, esbuild; and a network, once)")
    sys.exit(77)
if not Path("/usr/bin/chromedriver").exists():
    print("chromium is not installed (Debian: chromium-driver)")
    sys.exit(77)
climber = root / "configs/climber"
hostile = "</script><!--\"'\u00e4\u20ac\U0001f916"


def run(scene, rules, page, *options):
    subprocess.run(
        [build / "tools/pcm", "run", scene, rules, "--replay", page, *options],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return page


def browse(*arguments):
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--window-size=1400,900", *arguments):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_script_timeout(300)  # software rendering is slow when other tests run
    return driver


def wait(until, what, seconds=90):
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, f"{what} does not happen"
        time.sleep(0.02)


class Page:
    def __init__(self, driver, path):
        self.driver = driver
        driver.get_log("performance")
        driver.get(path.as_uri())
        wait(lambda: driver.execute_script("return document.body?.dataset.ready"), f"opening {path.name}")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def texts(self, selector):
        return [found.text for found in self.driver.find_elements(By.CSS_SELECTOR, selector)]

    def script(self, text, *values):
        return self.driver.execute_script(text, *values)

    def go(self, frame):
        self.script(
            "const time = document.getElementById('time');"
            "time.value = arguments[0]; time.dispatchEvent(new Event('input'))",
            frame,
        )

    def number(self, name):
        return float(self.text(f"#now td[data-name='{name}']").split()[0])

    def frames(self):
        return int(self.script("return document.body.dataset.ready"))

    def is_quiet(self):
        """Nothing on the console, and no request but for the file and what it holds itself."""
        messages = [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        messages = [entry for entry in messages if "GPU stall" not in entry["message"]]
        assert not messages, messages
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                assert url.startswith(("file:", "data:", "blob:")), url
        return True


def near(value, wanted, share=1e-5):
    assert abs(value - wanted) <= share * abs(wanted), (value, wanted)


def log_row(path, follower, when):
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if follower in (row["A"], row["B"])]
    return min(rows, key=lambda row: abs(float(row["time [s]"]) - when))


def frame_of(page):
    return int(page.script("return document.body.dataset.frame"))


def plays(page):
    page.go(0)
    page.find("body").send_keys("----")  # too slow to reach the end
    page.find("#play").click()
    wait(lambda: frame_of(page) > 2, "playing")
    page.find("body").send_keys(Keys.SPACE)
    page.go(10)
    page.find("body").send_keys(Keys.ARROW_RIGHT)
    assert frame_of(page) == 11
    page.find("body").send_keys(Keys.HOME)
    assert frame_of(page) == 0


def a_click_on_a_foot_tells_law_rule_and_values(page, logs):
    page.go(40)
    view = page.find("#view canvas")
    x, y = page.script("return window.pcm.pixelOf('MiddleRightFoot')")
    size = page.script("const v = document.getElementById('view'); return [v.clientWidth, v.clientHeight]")
    ActionChains(page.driver).move_to_element_with_offset(view, x - size[0] / 2, y - size[1] / 2).click().perform()
    assert "MiddleRightFoot" in page.text("#pair")
    assert page.text("#rule") == "SurfacePair Normal * Sticky -> Tread"
    assert page.text("#law") == "Tread: CompliantGround"
    lines = (climber / "climber.pcm").read_text().splitlines()
    marked = page.find(".source .marked")
    assert marked.text.split(maxsplit=1)[1].split() == lines[int(marked.get_attribute("data-line")) - 1].split()
    values = dict(row.split(maxsplit=1) for row in page.texts("#values tr")[1:])
    assert values["Stiffness"].startswith("300000 N/m") and "line" in values["Stiffness"], values
    when = page.script("return window.pcm.record.times[40]")
    row = log_row(logs / "tread.csv", "MiddleRightFoot", when)
    assert abs(float(row["time [s]"]) - when) < 1e-9, (row["time [s]"], when)
    near(page.number("normal force"), float(row["force_n [N]"]))
    near(page.number("depth"), float(row["depth [m]"]))
    near(page.number("force x"), float(row["force_x [N]"]))


def feet_at_rest_bear_the_weight(page):
    """Trunk and head, and of each leg two links and a foot, as climber.xml has them; it stands until 0.5 s."""
    weight = (0.5 + 0.02 + 6 * (0.02 + 0.02 + 0.01)) * 9.81
    page.go(48)
    page.find("#contacts").click()
    wait(lambda: page.texts("#sum td"), "the table of contacts")
    near(float(page.texts("#sum td")[4]), weight, 2e-3)


def lanes_and_rules(page):
    assert len(page.texts(".lane")) >= 6
    page.find("#filter").send_keys("HindLeft")
    assert page.texts(".lane") == ["Ground \u00b7 HindLeftFoot"]
    page.find(".lane canvas").click()
    assert page.text("#law").startswith("Slip: ViscoelasticGround")
    page.find("tr.rule[data-rule='0']").click()
    assert page.text("#rule").startswith("ObjectPair") or page.text("#rule").startswith("SurfacePair")
    assert "no contact yet" in page.text("#rules")


def the_view_keeps_its_picture(page):
    """A picture that is taken between two frames, as under a virtual clock, is not white."""
    page.go(0)
    page.driver.execute_async_script("setTimeout(arguments[0], 300)")
    colors = page.script(
        "const view = document.querySelector('#view canvas'), copy = document.createElement('canvas');"
        "Object.assign(copy, { width: view.width, height: view.height });"
        "const context = copy.getContext('2d'); context.drawImage(view, 0, 0);"
        "const { data } = context.getImageData(0, 0, copy.width, copy.height);"
        "return new Set(new Uint32Array(data.buffer)).size"
    )
    assert colors > 20, colors


def climber_is_shown(driver, folder):
    logs = folder / "logs"
    page_file = run(
        climber / "climber.xml",
        climber / "climber.pcm",
        folder / "climber.html",
        *("--ctrl", climber / "climber.csv", "--time", "1", "--every", "0.01", "--log", logs),
    )
    page = Page(driver, page_file)
    assert page.frames() == 100, page.frames()
    plays(page)
    the_view_keeps_its_picture(page)
    a_click_on_a_foot_tells_law_rule_and_values(page, logs)
    lanes_and_rules(page)
    page.find("#filter").clear()
    page.find("#filter").send_keys(Keys.SPACE, Keys.BACK_SPACE)
    frames_leave_nothing_behind(page)
    feet_at_rest_bear_the_weight(page)
    assert page.is_quiet()
    return page_file


def damage_is_named(driver, page_file):
    text = page_file.read_bytes()
    elements = [match.start() for match in re.finditer(rb"\n<script type=", text)]
    cut = page_file.with_name("cut.html")
    cut.write_bytes(text[: elements[-1] + 2000])
    page = Page(driver, cut)
    assert "chunk 2 is damaged" in page.text("#faults"), page.text("#faults")
    altered = bytearray(text)
    altered[elements[-1] + 1000] ^= 1
    cut.write_bytes(altered)
    assert "chunk 2 is damaged" in Page(driver, cut).text("#faults")


def strange_scenes_are_shown(driver, folder):
    name = hostile.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    scene = folder / "strange.xml"
    scene.write_text(
        f'<mujoco><worldbody><geom type="plane" size="1 1 .1"/>'
        f'<body name="{name}" pos="0 0 .09"><freejoint/><geom type="sphere" size=".1"/></body>'
        f'<body pos="0 .5 .3"><freejoint/><geom type="capsule" size=".05 .1"/></body></worldbody></mujoco>',
        encoding="utf-8",
    )
    rules = folder / "strange.pcm"
    rules.write_text("ContactType C = CompliantGround { };\nDefaultPair -> C;\n")
    page = Page(driver, run(scene, rules, folder / "strange.html", "--time", "0.1"))
    assert any(hostile in lane for lane in page.texts(".lane")), page.texts(".lane")
    assert page.is_quiet()
    rules.write_text("ContactType C = CompliantGround { };\nObjectPair a * b -> C;\n")
    page = Page(driver, run(scene, rules, folder / "none.html", "--time", "0.02"))
    assert "no contact yet" in page.text("#rules")
    assert page.is_quiet()


LOOKS = """<mujoco><worldbody><geom name="Floor" type="plane" size="1 1 1"/>
<body pos="0 0 0.1"><freejoint/><geom name="Look" type="sphere" size="0.09" contype="0" conaffinity="0" group="2"/>
<geom name="Sole" type="box" size="0.1 0.1 0.1" group="3"/></body>
<body pos="1 0 0.2"><freejoint/><geom name="Bare" type="capsule" size="0.1 0.1" group="3"/></body></worldbody></mujoco>"""


def bodies_look_as_in_the_viewer(driver, folder):
    """Geoms of hidden groups are shown where a body has no others, or on request."""
    scene, rules = folder / "looks.xml", folder / "looks.pcm"
    scene.write_text(LOOKS)
    rules.write_text("ContactType G = CompliantGround {}; DefaultPair -> G;")
    for options, names in ((), ["Bare", "Floor", "Look"]), (["--collisions"], ["Bare", "Floor", "Look", "Sole"]):
        page = Page(driver, run(scene, rules, folder / "looks.html", "--time", "0.02", *options))
        shown = page.script("const { shapes, subjects } = window.pcm.record; return shapes.map((s) => subjects[s.subject].name)")
        assert sorted(shown) == names, shown


def heap(page):
    page.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    return page.script("return performance.memory.usedJSHeapSize")


def scrub(page, frames):
    page.script(
        "const time = document.getElementById('time'); for (let i = 0; i < arguments[0]; i++)"
        "{ time.value = (7 * i) % Number(time.max); time.dispatchEvent(new Event('input')); }",
        frames,
    )


def frames_leave_nothing_behind(page):
    """Once all that is made at need is there, 1,000 frames more take no memory, and one has a chosen contact throughout."""
    page.find(".lane canvas").click()
    scrub(page, 200)
    before = heap(page)
    scrub(page, 1000)
    grown = heap(page) - before
    assert grown < 500e3, f"1,000 frames leave {grown} bytes"


def pages_of_other_hosts_are_shown(driver, folder):
    environment = {**os.environ, "PCM_PLUGIN_PATH": str(build / "plugins")}
    subprocess.run([build / "tests/replay/pages", build / "web/replay.html"], check=True, cwd=folder, env=environment)
    page = Page(driver, folder / "nan.html")
    page.find("#contacts").click()
    wait(lambda: page.texts("#sum td"), "the table of contacts")
    assert page.texts("#sum td")[4] == "NaN", page.texts("#sum td")
    page.find(".lane canvas").click()
    assert page.text("#now td[data-name='normal force']").startswith("NaN"), page.text("#now")
    page = Page(driver, folder / "many.html")
    assert page.frames() == 20
    assert page.script("return window.pcm.record.subjects.length") == 10001
    page.find("#forward").click()
    assert "No contact yet." in page.text("#lanes")
    assert page.is_quiet()


def without_webgl_all_else_works(page_file):
    driver = browse("--disable-3d-apis")
    try:
        page = Page(driver, page_file)
        assert "no WebGL" in page.text("#view")
        page.go(40)
        page.find(".lane canvas").click()
        assert page.number("normal force") > 0
    finally:
        driver.quit()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        driver = browse("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing", "--enable-precise-memory-info")
        try:
            page_file = climber_is_shown(driver, folder)
            damage_is_named(driver, page_file)
            strange_scenes_are_shown(driver, folder)
            bodies_look_as_in_the_viewer(driver, folder)
            pages_of_other_hosts_are_shown(driver, folder)
        finally:
            driver.quit()
        without_webgl_all_else_works(page_file)


main()
