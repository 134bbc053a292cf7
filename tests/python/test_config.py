# SPDX-License-Identifier: MIT
"""Files, what they say, and what is said of them."""

import logging
import os
import subprocess

import pytest

import pcm


def test_a_config_is_a_mapping_of_laws(config):
    assert list(config) == ["Soft", "Hard"] and len(config) == 2 and "Soft" in config
    assert config["Hard"].model == "ViscoelasticGround"
    assert config["Hard"].params["GroundStiffness"] == 20e3
    assert config["Hard"].params["LogFile"] == ""
    with pytest.raises(TypeError):
        config["Hard"].params["GroundStiffness"] = 1e3
    assert config["Soft"].states == ("stretch_x", "stretch_y")
    assert isinstance(config["Soft"].events, tuple) and config["Soft"].summary
    with pytest.raises(KeyError, match="Nothing"):
        config["Nothing"]


def test_rules_say_who_wins(config):
    assert [rule.type for rule in config.rules] == ["Soft", "Hard"]
    assert config.rules[0].kind == "SurfacePair" and config.rules[0].line == 4
    winner, = config.explain("Ball:Rubber", ":Floor")
    assert winner.type == "Soft" and winner.swapped
    assert config.explain("a", "b") == []


def test_files_settings_and_folders_of_laws(tmp_path):
    path = tmp_path / "hard.pcm"
    path.write_text("ContactType C = ViscoelasticGround { Friction = 0.5; };\nDefaultPair -> C;\n")
    config = pcm.load(path, settings={"C.Friction": 0.25}, plugins=[tmp_path])
    assert config["C"].params["Friction"] == 0.25
    with pytest.raises(pcm.Error, match="C.Frictoin"):
        pcm.load(path, settings={"C.Frictoin": 0.25})
    with pytest.raises(pcm.Error, match="no such file|cannot|does not exist"):
        pcm.load(tmp_path / "absent.pcm")


BAD = "ContactType C = CompliantGround { Frictoin = 0.8; };\nDefaultPair -> D;\n"


def test_an_error_is_what_pcm_check_prints(tmp_path):
    path = tmp_path / "bad.pcm"
    path.write_text(BAD)
    with pytest.raises(pcm.Error) as caught:
        pcm.load(path)
    command = os.environ["PCM_COMMAND"]
    said = subprocess.run([command, "check", path], capture_output=True, text=True)
    shown = [line for line in str(caught.value).splitlines()]
    assert all(line in said.stdout + said.stderr for line in shown)
    first, *others = caught.value.diagnostics
    assert (first.severity, first.line, first.column, first.length) == ("error", 1, 35, 8)
    assert first.code > 0 and first.file == str(path) and "Frictoin" in first.message
    assert first.text in str(caught.value) and others[-1].line == 2


def test_warnings_go_to_warnings():
    with pytest.warns(pcm.Warning, match="no rule uses"):
        pcm.parse("ContactType C = CompliantGround {}; ContactType D = CompliantGround {}; DefaultPair -> C;")


def test_notes_go_to_the_log(caplog, new_scene):
    config = pcm.parse("ContactType C = CompliantGround { Debug = true; }; DefaultPair -> C;")
    with caplog.at_level(logging.INFO, logger="pcm"):
        new_scene(config, 2).step()
    assert sum("Ball" in record.getMessage() for record in caplog.records) == 2


def test_text_of_other_encodings_is_no_crash(tmp_path):
    path = tmp_path / "latin.pcm"
    path.write_bytes(b"ContactType C = Compliant\xe9 {};\n")
    with pytest.raises(pcm.Error):
        pcm.load(path)
    with pytest.raises(TypeError):
        pcm.parse(7)
    with pytest.raises(pcm.Error, match="0x00"):
        pcm.parse("ContactType\0")
