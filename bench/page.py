# SPDX-License-Identifier: MIT
"""usage: page.py PAGE.html ...

What chromium makes of pages of runs, drawn by the processor at 800 x 600: the time to the first picture, the script's time
for a frame, frames a second with the processor time of each, and what 1,000 frames leave in memory."""
import os
import sys
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

TICKS = os.sysconf("SC_CLK_TCK")
SCRUB = """const time = document.getElementById("time"); const spent = [];
for (let i = 0; i < 1000; i++) {
    time.value = (7 * i) % (Number(time.max) + 1);
    time.dispatchEvent(new Event("input"));
    spent.push(Number(document.body.dataset.spent));
}
return spent.sort((a, b) => a - b)[500];"""
DRAW = """const [frames, done] = arguments; const time = document.getElementById("time"); let i = 0;
const draw = () => {
    time.value = (3 * i) % (Number(time.max) + 1);
    time.dispatchEvent(new Event("input"));
    if (i++ < frames) requestAnimationFrame(draw);
    else done();
};
draw();"""


def browse():
    options = webdriver.ChromeOptions()
    for argument in (
        *("--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
        *("--disable-gpu-compositing", "--enable-precise-memory-info"),
    ):
        options.add_argument(argument)
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_script_timeout(300)
    driver.set_page_load_timeout(300)
    return driver


def ticks(root):
    """Processor time of a process and all below it, s."""
    facts = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path("/proc", name, "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        facts[int(name)] = (int(words[1]), int(words[11]) + int(words[12]))
    below, found = {root}, 0
    while found != len(below):
        found = len(below)
        below |= {process for process, (parent, _) in facts.items() if parent in below}
    return sum(facts[process][1] for process in below if process in facts) / TICKS


def heap(driver):
    driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    return driver.execute_script("return performance.memory.usedJSHeapSize") / 1e6


def resize(driver):
    """The view is 800 x 600."""
    driver.execute_script("const view = document.getElementById('view').style; view.width = '800px'; view.height = '600px'; view.flex = 'none'")
    time.sleep(1)
    return driver.execute_script("const c = document.querySelector('#view canvas'); return `${c.width} x ${c.height}`")


def measure(driver, page):
    before = ticks(driver.service.process.pid)
    driver.get(page.resolve().as_uri())
    while not (whole := driver.execute_script("return document.body?.dataset.whole")):
        time.sleep(0.02)
    shown = driver.execute_script("return document.body.dataset.shown")
    opened = ticks(driver.service.process.pid) - before
    size = resize(driver)
    spent = driver.execute_script(SCRUB)
    held = heap(driver)
    driver.execute_script(SCRUB)
    left = heap(driver) - held
    frames = 60
    before, begun = ticks(driver.service.process.pid), time.monotonic()
    driver.execute_async_script(DRAW, frames)
    took, used = time.monotonic() - begun, ticks(driver.service.process.pid) - before
    print(
        f"{page.name:18} {page.stat().st_size / 1e6:5.1f} MB: first picture after {float(shown) / 1000:.2f} s, whole after {float(whole) / 1000:.2f} s ({opened:.2f} s of processor); "
        f"script {spent:.2f} ms a frame; {size} by the processor {frames / took:.0f} frames a second ({1000 * used / frames:.0f} ms of processor each); "
        f"heap {held:.1f} MB, {left:+.2f} MB by 1,000 frames; load {os.getloadavg()[0]:.0f}",
        flush=True,
    )


def main():
    driver = browse()
    try:
        for page in map(Path, sys.argv[1:]):
            measure(driver, page)
    finally:
        driver.quit()


main()
