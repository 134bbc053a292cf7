# SPDX-License-Identifier: MIT
# usage: rings.py BUILD CC...
#
# Which objects call which, by nm. A room is a folder with a static library. Rooms of a hall call each other in no ring, and
# inside a room no more than three objects do. The check is first tried on rings that are compiled for it.
import collections
import pathlib
import subprocess
import sys
import tempfile

HALLS = ['core', 'geometry', 'hosts/mujoco', 'hosts/lammps']
NEEDED = ['core']  # the others exist only in builds with their dependencies
LARGEST_RING = 3


def objects(build, hall):
    """A room and a source file -> its object files, one for each way that the source is compiled."""
    found = collections.defaultdict(list)
    for file in sorted((build / hall).rglob('*.o')):
        folder = file.parent
        if folder.suffix == '.p' and folder.stem.endswith('.a'):
            found[folder.parent.relative_to(build).as_posix(), file.stem.split('.')[0]].append(file)
    return found


def symbols(files):
    defined, wanted = set(), set()
    listing = subprocess.run(['nm', '-g', '-P', *files], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        words = line.split()
        if len(words) >= 2:
            (wanted if words[1] in 'Uvw' else defined).add(words[0])
    return defined, wanted


def calls(build, hall):
    """Each object -> {object that it calls: one symbol of the call}."""
    table = {key: symbols(files) for key, files in objects(build, hall).items()}
    home = {symbol: key for key, (defined, _) in table.items() for symbol in defined}
    return {key: {home[symbol]: symbol for symbol in sorted(wanted) if home.get(symbol, key) != key}
            for key, (_, wanted) in table.items()}


def reach(graph, start):
    seen, ahead = set(), [start]
    while ahead:
        for node in graph[ahead.pop()]:
            if node not in seen:
                seen.add(node)
                ahead.append(node)
    return seen


def rings(graph):
    """The sets of nodes that all reach each other, of more than one node."""
    far = {node: reach(graph, node) for node in graph}
    found = {frozenset(other for other in far[node] if node in far[other]) for node in graph}
    return sorted((sorted(ring) for ring in found if len(ring) > 1))


def wrong(build, hall):
    graph = calls(build, hall)
    rooms = collections.defaultdict(dict)
    for (room, name), called in graph.items():
        rooms[room].update({to[0]: f'{room}/{name} calls {symbol} of {to[0]}/{to[1]}'
                            for to, symbol in called.items() if to[0] != room})
    complaints = []
    for ring in rings(rooms):
        complaints.append(f'rooms in a ring: {" ".join(ring)}')
        complaints += [f'  {call}' for room in ring for to, call in sorted(rooms[room].items()) if to in ring]
    for room in rooms:
        inner = {name: {to[1]: symbol for to, symbol in called.items() if to[0] == room}
                 for (where, name), called in graph.items() if where == room}
        for ring in rings(inner):
            if len(ring) > LARGEST_RING:
                complaints.append(f'{room}: {len(ring)} objects in a ring: {" ".join(ring)}')
                complaints += [f'  {name} calls {symbol} of {to}'
                               for name in ring for to, symbol in sorted(inner[name].items()) if to in ring]
    return complaints


def plant(folder, cc, chain):
    """Objects of the given rooms and names, each of which calls the next, the last one the first."""
    for (room, name), (_, after) in zip(chain, chain[1:] + chain[:1]):
        inside = folder / 'hall' / room / f'lib{room}.a.p'
        inside.mkdir(parents=True, exist_ok=True)
        source = inside / f'{name}.c'
        source.write_text(f'int {after}(void);\nint {name}(void);\nint {name}(void) {{ return {after}() + 1; }}\n')
        subprocess.run([*cc, '-c', source, '-o', f'{source}.o'], check=True)


def try_out(cc, chain):
    with tempfile.TemporaryDirectory() as folder:
        plant(pathlib.Path(folder), cc, chain)
        return wrong(pathlib.Path(folder), 'hall')


def self_test(cc):
    across = try_out(cc, [('low', 'a'), ('high', 'b'), ('low', 'c')])
    assert across and across[0] == 'rooms in a ring: hall/high hall/low', across
    four = try_out(cc, [('room', name) for name in 'abcd'])
    assert four and four[0] == 'hall/room: 4 objects in a ring: a b c d', four
    three = try_out(cc, [('room', name) for name in 'abc'])
    assert not three, three


def main():
    build, cc = pathlib.Path(sys.argv[1]), sys.argv[2:]
    self_test(cc)
    complaints = []
    for hall in HALLS:
        if not objects(build, hall) and hall in NEEDED:
            complaints.append(f'{hall}: nothing of it is compiled')
        complaints += wrong(build, hall)
    print('\n'.join(complaints))
    return 1 if complaints else 0


sys.exit(main())
