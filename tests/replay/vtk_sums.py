# SPDX-License-Identifier: MIT
"""usage: vtk_sums.py VTK TABLES

The files for ParaView, read by VTK itself, sum to the forces of the table: contacts.csv in world axes, frame by frame."""
import csv
import sys
from collections import defaultdict
from xml.etree import ElementTree

from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

folder, tables = sys.argv[1:]

expected = defaultdict(lambda: [0.0, 0.0, 0.0])
with open(f"{tables}/contacts.csv", newline="") as file:
    for row in csv.DictReader(file):
        for axis, force in (("x", "force_x"), ("y", "force_y"), ("n", "force_n")):
            for k, component in enumerate("xyz"):
                expected[float(row["time"])][k] += float(row[force]) * float(row[f"{axis}_{component}"])

compared = 0
for entry in ElementTree.parse(f"{folder}/contacts.pvd").iter("DataSet"):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(f"{folder}/{entry.get('file')}")
    reader.Update()
    forces = reader.GetOutput().GetPointData().GetArray("force")
    for k in range(3):
        total = sum(forces.GetComponent(i, k) for i in range(forces.GetNumberOfTuples()))
        wanted = expected[float(entry.get("timestep"))][k]
        # Each force is written with seven digits.
        assert abs(total - wanted) <= 1e-5 * (1 + abs(wanted)), (entry.attrib, total, wanted)
        compared += total != 0
assert compared > 100, compared
