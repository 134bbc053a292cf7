# SPDX-License-Identifier: MIT
"""usage: references.py ROOT

The numbers of the suites by a second way: impacts from Hertz's closed form and from an integration of our own, histories by
20,000 springs, ends of scenes from rigid bodies. Also that laws.pcm, title and source are there.
"""
import csv
import math
import pathlib
import sys
import xml.etree.ElementTree

SUITES = pathlib.Path(sys.argv[1]) / 'suites'


def table(path):
    with open(path, newline='') as stream:
        return list(csv.DictReader(line for line in stream if not line.startswith('#')))


def head(name):
    rows = table(SUITES / name / 'suite.csv')
    found = {row['key']: row['value'] for row in rows if row['key'] != 'set'}
    found['set'] = {row['value'].split('=')[0]: float(row['value'].split('=')[1].split()[0]) for row in rows if row['key'] == 'set'}
    assert found['title'] and found['source'] and (SUITES / name / found['laws']).is_file()
    return found


def near(name, found, expected, share):
    assert abs(found - expected) <= share * abs(expected), f'{name}: {found}, not {expected}'


def impact(modulus, radius, mass, speed):
    """Depth, force and duration of an elastic impact, by the method of Heun and Kutta with small steps."""
    stiffness = 4 / 3 * modulus * math.sqrt(radius)
    depth, rate, time, deepest = 0.0, speed, 0.0, 0.0
    step = 1e-3 * (mass ** 2 / (modulus ** 2 * radius * speed)) ** 0.2

    def pull(d):
        return -stiffness * max(d, 0) ** 1.5 / mass
    while True:
        a = rate, pull(depth)
        b = rate + step / 2 * a[1], pull(depth + step / 2 * a[0])
        c = rate + step / 2 * b[1], pull(depth + step / 2 * b[0])
        d = rate + step * c[1], pull(depth + step * c[0])
        after = depth + step / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
        if after <= 0:
            return deepest, stiffness * deepest ** 1.5, time + step * depth / (depth - after)
        rate += step / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
        depth, time, deepest = after, time + step, max(deepest, after)


def check_spheres():
    given = head('spheres')['set']
    for row in table(SUITES / 'spheres' / 'tests.csv'):
        radius, mass, speed, expected = (float(row[key]) for key in ('radius', 'mass', 'speed', 'expected'))
        angle = math.radians(float(row['angle']))
        if row['measure'] in ('peak_depth', 'peak_force', 'duration'):
            share = 0.5 if row['partner'] == 'ball' else 1
            depth, force, time = impact(given['ReducedModulus'], share * radius, share * mass, speed)
            near(row['test'], {'peak_depth': 1e6 * depth, 'peak_force': force, 'duration': 1e6 * time}[row['measure']], expected, 1e-4)
        else:
            impulse = 2 * given['Friction'] * mass * speed * math.cos(angle)
            slides = mass * speed * math.sin(angle) > 3.5 * impulse
            assert slides, row['test']
            spin = impulse * radius / (0.4 * mass * radius ** 2)
            left = (speed * math.sin(angle) - impulse / mass) / (speed * math.sin(angle))
            near(row['test'], {'spin': spin, 'tangential_restitution': left}[row['measure']], expected, 1e-6)


def check_partial_slip():
    """Springs under the profile x^2/R: each holds 8 G of its width, and slides at mu times its share of the pressure."""
    import numpy
    given = head('partial-slip')['set']
    modulus, shear, mu = given['ReducedModulus'], given['ReducedShearModulus'], given['Friction']
    for row in table(SUITES / 'partial-slip' / 'tests.csv'):
        motion, force = (table(SUITES / 'partial-slip' / row[key]) for key in ('motion', 'reference'))
        radius = float(motion[0]['radius'])
        deepest = max(float(line['depth']) for line in motion)
        count = 20000
        x = (numpy.arange(count) + 0.5) / count * math.sqrt(radius * deepest)
        width = x[0] * 2
        stretch, before, worst, largest = numpy.zeros(count), 0.0, 0.0, 0.0
        for line, wanted in zip(motion, force):
            depth, slip = float(line['depth']), float(line['slip_x'])
            for part in range(1, 21):
                now = before + part / 20 * (depth - before) if line is not motion[0] else depth
                pressed = numpy.maximum(now - x * x / radius, 0)
                bound = mu * 2 * modulus * pressed
                stretch = numpy.clip(stretch + (slip / 20 if line is not motion[0] else 0), -bound / (8 * shear), bound / (8 * shear))
            before = depth
            load = 2 * modulus * width * pressed.sum()
            largest = max(largest, load)
            worst = max(worst, abs(-8 * shear * width * stretch.sum() - float(wanted['force_x'])))
        assert worst < 2e-3 * mu * largest, f'{row["test"]}: {worst / mu / largest} of mu N'


def block(half_width, half_height, lean, time):
    """The lean of a rigid block on its edge, by small steps."""
    reach, balance = math.hypot(half_width, half_height), math.atan2(half_width, half_height)
    steps, rate = 200000, 0.0
    for _ in range(steps):
        rate -= 0.75 * 9.81 / reach * math.sin(balance - lean) * time / steps
        lean += rate * time / steps
    return lean


def check_adhesion():
    """At each depth the force of Johnson, Kendall and Roberts by their own relation: from the force to the circle and its depth."""
    given = head('adhesion')['set']
    modulus, work = given['ReducedModulus'], given['WorkOfAdhesion']
    for row in table(SUITES / 'adhesion' / 'tests.csv'):
        motion, force = (table(SUITES / 'adhesion' / row[key]) for key in ('motion', 'reference'))
        for line, wanted in zip(motion, force):
            radius, depth, pull = float(line['radius']), float(line['depth']), float(wanted['force_n'])
            part = 3 * math.pi * work * radius
            if row['test'].startswith('soft'):
                root = math.sqrt(max(2 * part * pull + part ** 2, 0))
                circles = [(3 * radius / (4 * modulus) * (pull + part + sign * root)) ** (1 / 3) for sign in (1, -1)]
                depths = [circle ** 2 / radius - math.sqrt(2 * math.pi * work * circle / modulus) for circle in circles]
                near('soft', min(depths, key=lambda d: abs(d - depth)), depth, 1e-6)
            else:
                hertz = 4 / 3 * modulus * math.sqrt(radius) * max(depth, 0) ** 1.5
                near('stiff', pull + 2 / 3 * part + part, hertz + part, 1e-9)


def check_capillary():
    """The pull of a bridge at the touch, by Derjaguin's 2 pi gamma R cos(angle), which it nears from below with the volume."""
    head('capillary')
    for row in table(SUITES / 'capillary' / 'tests.csv'):
        touch = -float(table(SUITES / 'capillary' / row['reference'])[0]['force_n'])
        angle = float(row['set'].split('ContactAngle=')[1].split()[0])
        assert 0.85 < touch / (2 * math.pi * math.cos(angle)) < 1, row['test']


def check_tosses():
    head('tosses')
    rows = table(SUITES / 'tosses' / 'tests.csv')
    scene = (SUITES / 'tosses' / 'cube.xml').read_text()
    assert len(rows) == 60 and all('name="%s"' % row['options'].split()[1] in scene for row in rows)
    assert all(35 < float(row['expected']) < 110 for row in rows if row['column'] == 'Cube.z')


def check_scenes():
    head('scenes')
    rows = {row['test']: float(row['expected']) for row in table(SUITES / 'scenes' / 'tests.csv')}
    lean, mu = math.radians(30), 0.3
    near('slope', rows['box slides at 30 degrees'], 9.81 * (math.sin(lean) - mu * math.cos(lean)) * 0.75, 1e-5)
    near('skid', rows['ball skids until it rolls'], 5 / 7, 1e-5)
    near('block', rows['block rocks on its edge'], math.sin(0.5 * block(0.05, 0.2, 0.1, 0.15)), 1e-4)
    # Of its friction the grip needs less than half at the most: it never slips.
    assert 0.045 * (9.81 + 0.05 * math.sqrt(39480 / 10.145)) < 0.5 * mu * 2 * 2 and rows['part in a grip that trembles'] == 0
    assert math.tan(math.radians(10)) < mu and rows['box rests at 10 degrees'] == rows['part in a grip'] == 0


def check_bouncing():
    """Heights in closed form, and by a spring and a damper that never pull, with gravity during contacts."""
    rows, impacts = ({int(row['test'].split()[1]): row for row in table(SUITES / 'bouncing' / 'tests.csv') if row['measure'] == measure}
                     for measure in ('most', 'when'))
    for k, row in rows.items():
        near(row['test'], float(row['expected']), 0.7 ** (2 * k), 1e-5)
    instant, speed = 0.0, 0.0
    for k, row in impacts.items():
        instant += (speed + math.sqrt(speed ** 2 + 2 * 9.81 * (1 if k == 1 else 0))) / 9.81
        speed = 0.7 ** k * math.sqrt(2 * 9.81)
        near(row['test'], float(row['expected']), instant, 1e-8)
    assert len(rows) == len(impacts) == 5
    height, speed, step, damping, k, rising = 1.0, 0.0, 1e-6, 244.43, 0, False
    while k < len(rows):
        push = max(0.0, -1e6 * height - damping * speed) if height < 0 else 0.0
        speed += step * (push - 9.81)
        height += step * speed
        if rising and speed <= 0 and height > 0:
            k += 1
            assert abs(height - float(rows[k]['expected'])) < float(rows[k]['tolerance']), (k, height)
        rising = speed > 0
    near('height', height, float(rows[5]['expected']), 0.04)


def check_rolling():
    """Box and balls are integrated with friction as what the next step asks for, within its bound; balls start at rest."""
    mu, weight, ball, box, step = head('rolling')['set']['Friction'], 9.81, 1.0, 10.0, 1e-4
    speed, place, spin, speeds, places = 0.0, 0.0, 0.0, 0.0, 0.0
    for _ in range(20000):
        slip = speed - speeds - spin  # spin is that of the ball times its radius
        own = (150 - mu * (box + 25 * ball) * weight) / box
        grip = (slip / step + own) / (3.5 / ball + 25 / box)  # ends the slip within the step
        grip = max(-mu * ball * weight, min(mu * ball * weight, grip))
        speed += step * (own - 25 * grip / box)
        speeds += step * grip / ball
        spin += step * 2.5 * grip / ball
        place += step * speed
        places += step * speeds
    for row in table(SUITES / 'rolling' / 'tests.csv'):
        way = {'box': place, 'ball': places}[row['column'].split('.')[0]]
        near(row['test'], way / (math.sqrt(2) if row['options'].endswith('diagonal') else 1), float(row['expected']), 1e-4)


def check_cradle():
    """Impacts of balls of no size, each at the instant at which the next two meet."""
    places, speeds, time = [0.001 * i for i in range(5)], [1.0, 0.0, 0.0, 0.0, 0.0], 0.0
    while True:
        meets = [((places[i + 1] - places[i]) / (speeds[i] - speeds[i + 1]), i) for i in range(4) if speeds[i] > speeds[i + 1] + 1e-12]
        wait, i = min(meets)
        if time + wait > 0.1:
            break
        time += wait
        places = [place + wait * speed for place, speed in zip(places, speeds)]
        mean, half = (speeds[i] + speeds[i + 1]) / 2, 0.9 * (speeds[i] - speeds[i + 1]) / 2
        speeds[i], speeds[i + 1] = mean - half, mean + half
    for row, speed in zip(table(SUITES / 'cradle' / 'tests.csv'), speeds, strict=True):
        near(row['test'], float(row['expected']), speed, 1e-6)


def check_stack():
    """The scene's own numbers: boxes that touch exactly, and a slope on which they neither slide nor fall over."""
    scene = xml.etree.ElementTree.parse(SUITES / 'stack' / 'stack.xml').getroot()
    gravity = [float(part) for part in scene.find('option').get('gravity').split()]
    half = [float(part) for part in scene.find('default/default/geom').get('size').split()]
    places = [[float(part) for part in body.get('pos').split()] for body in scene.findall('worldbody/body')]
    lean = gravity[0] / -gravity[2]
    near('gravity', math.hypot(*gravity), 9.81, 1e-6)
    near('slope', lean, math.tan(math.radians(5)), 1e-6)
    assert lean < head('stack')['set']['Friction'] and lean < half[0] / (half[2] * len(places))
    for i, place in enumerate(places):
        near('height', place[2], (2 * i + 1) * half[2], 1e-9)
    assert all(float(row['expected']) == 0 for row in table(SUITES / 'stack' / 'tests.csv'))


def check_kharaz():
    """Beyond the angle of full sliding the experiment has to be near what an impulse of mu (1 + e) m v gives."""
    given = head('kharaz')['set']
    rows = table(SUITES / 'kharaz' / 'tests.csv')
    assert len(rows) == 31
    for row in rows:
        angle = math.radians(float(row['angle']))
        ratio = given['Friction'] * (1 + given['Restitution'])
        if row['measure'] == 'tangential_restitution' and math.tan(angle) > 3.5 * ratio:
            near(row['test'], float(row['expected']), 1 - ratio / math.tan(angle), 0.02)


def check_chung_ooi():
    """What slides throughout leaves by its impulse, mu (1 + e) m v; equal spheres that turn like gears keep their spin."""
    head('chung-ooi')
    count = 0
    for row in table(SUITES / 'chung-ooi' / 'tests.csv'):
        given = dict(pair.split('=') for pair in row['set'].split(';'))
        radius, spin, expected = float(row['radius']), float(row['spin'] or 0), float(row['expected'])
        angle, mu, e = math.radians(float(row['angle'])), float(given['Friction']), float(given['Restitution'])
        normal = float(row['speed']) * math.cos(angle)
        slip = float(row['speed']) * math.sin(angle) - spin * radius
        left = slip - 3.5 * mu * (1 + e) * normal
        if row['measure'] == 'restitution':
            near(row['test'], expected, e, 1e-12)
        elif row['partner'] and float(row['partner_spin']) == -spin:
            near(row['test'], expected, spin, 1e-6)
        elif left < 0:
            continue
        elif row['measure'] == 'spin':
            near(row['test'], expected, 2.5 * mu * (1 + e) * normal / radius, 0.02)
        elif row['measure'] == 'rebound_angle':
            assert abs(expected - math.degrees(math.atan2(left, e * normal))) < float(row['uncertainty']), row['test']
        else:
            assert abs(expected + left / slip) < 0.02, row['test']
        count += 1
    assert count == 31, count


def roll(axes, touching, state, time, step):
    """A body of 1 kg that rolls without slip: its spin and the upward direction in its own frame, and its orientation.

    `touching` gives the way from the centre of mass to where it touches, for an upward direction."""
    import numpy
    cross = numpy.cross

    def rates(state):
        w, u, p = state[:3], state[3:6], state[6:]
        turn = cross(u, w)
        arm, tiny = touching(u), 1e-6
        moved = (touching(u + tiny * turn) - touching(u - tiny * turn)) / (2 * tiny)
        push = cross(moved, w) + cross(w, cross(arm, w)) + 9.81 * u
        inertia = axes + arm.dot(arm) * numpy.eye(3) - numpy.outer(arm, arm)
        change = numpy.linalg.solve(inertia, cross(arm, push) - cross(w, axes.dot(w)))
        return numpy.concatenate([change, turn, 0.5 * numpy.array([-p[1:].dot(w), *(p[0] * w + cross(p[1:], w))])])

    for _ in range(round(time / step)):
        a = rates(state)
        b = rates(state + step / 2 * a)
        c = rates(state + step / 2 * b)
        state = state + step / 6 * (a + 2 * b + 2 * c + rates(state + step * c))
    return state


def check_tops():
    """Bodies that roll without slip, and the geometry of a top upside down."""
    import numpy
    head('tops')
    rows = table(SUITES / 'tops' / 'tests.csv')

    def start(scene):
        root = xml.etree.ElementTree.parse(SUITES / 'tops' / scene).getroot()
        place, speed = ([float(part) for part in root.find('keyframe/key').get(name).split()] for name in ('qpos', 'qvel'))
        lean = 2 * math.asin(place[4])
        return numpy.array([*speed[3:], 0, math.sin(lean), math.cos(lean), *place[3:]])

    def under(u):
        shape = numpy.array([0.2, 0.03, 0.02]) ** 2
        return -shape * u / math.sqrt((shape * u).dot(u)) + [0, 0, 0.01]

    def rim(u):
        return -0.0376 * numpy.array([u[0], u[1], 0]) / math.hypot(u[0], u[1])
    boat = numpy.array([[2e-4, 2e-5, 0], [2e-5, 16e-4, 0], [0, 0, 17e-4]])
    disk = 0.0376 ** 2 * numpy.diag([0.25, 0.25, 0.5])
    states, times = {scene: start(scene) for scene in ('rattleback.xml', 'disk.xml')}, {}
    for row in rows:
        scene, expected, wait = row['scene'], float(row['expected']), float(row['time']) - times.get(row['scene'], 0)
        times[scene] = float(row['time'])
        if scene == 'rattleback.xml':
            states[scene] = roll(boat, under, states[scene], wait, 1e-3)
            assert abs(states[scene][2] - expected) < 0.002, row['test']
        elif scene == 'disk.xml':
            states[scene] = roll(disk, rim, states[scene], wait, 5e-4)
            assert abs(states[scene][8] - expected) < 1e-4, row['test']
        else:
            near('height', expected, 0.016 + 0.005, 1e-9)


def check_rod():
    """The rod on a spring of its own, a hundred times as stiff, by small steps."""
    high, ahead, inertia, stiffness, step = 0.5 * math.sin(math.pi / 3) + 0.001, 0.25, 1 / 12, 1e9, 1e-7
    x, z, turn, depth = 1.0, 0.0, 0.0, 1e-8
    while depth > 0:
        push, slip = stiffness * depth, x - high * turn
        grip = -push * 2 * math.tanh(slip / 1e-4)
        x, z, turn = x + step * grip, z + step * push, turn - step * (high * grip + ahead * push) / inertia
        depth -= step * (z - ahead * turn)
    found = {'x.position': x, 'z.position': z, 'turn.angle': turn}
    for row in table(SUITES / 'rod' / 'tests.csv'):
        near(row['test'], found[row['column']], float(row['expected']), 0.004)


def check_stacked():
    """Both balls by small steps, each pushed by the springs that it presses."""
    head('stacked')
    lower, upper, up, down, step, steps = 0.00045, 0.00135, 0.0, 0.0, 1e-8, 0
    for row in sorted(table(SUITES / 'stacked' / 'tests.csv'), key=lambda row: float(row['time'])):
        while steps < round(float(row['time']) / step):
            between = max(0, 0.001 - (upper - lower))
            up += step * (1000 * (max(0, 0.0005 - lower) - between) / 2e-5 - 9.81)
            down += step * (1000 * (between - max(0, 0.0005 - (0.0018 - upper))) / 1e-5 - 9.81)
            lower, upper, steps = lower + step * up, upper + step * down, steps + 1
        moved = lower - 0.00045 if row['column'] == 'ball1.position' else upper - 0.00135
        assert abs(1e6 * moved - float(row['expected'])) < 0.01, (row['test'], 1e6 * moved)


def check_kapla():
    """A tower of 102 blocks, each of which lies on the ground or across two others, none in another."""
    scene = xml.etree.ElementTree.parse(SUITES / 'kapla' / 'tower.xml').getroot()
    sizes = {one.get('class'): [float(part) for part in one.find('geom').get('size').split()] for one in scene.findall('default/default')}
    blocks = [([float(part) for part in body.get('pos').split()], sizes[body.find('geom').get('class')]) for body in scene.iter('body')]
    names = {body.find('freejoint').get('name'): float(body.get('pos').split()[2]) for body in scene.iter('body')}
    head('kapla')
    assert len(blocks) == 102

    def overlap(a, b, axis):
        return a[1][axis] + b[1][axis] - abs(a[0][axis] - b[0][axis])
    for block in blocks:
        below = [other for other in blocks if overlap(block, other, 0) > 1e-6 and overlap(block, other, 1) > 1e-6 and
                 abs(block[0][2] - other[0][2] - 0.1) < 1e-6]
        assert len(below) >= 2 or block[0][2] == 0.05, block
        assert sum(min(overlap(block, other, axis) for axis in range(3)) > 1e-6 for other in blocks) == 1, block
    for row in table(SUITES / 'kapla' / 'tests.csv'):
        near(row['test'], names[row['column'].split('.')[0]], float(row['expected']), 1e-9)


def check_elastic_and_pile():
    """What falls is what SimBenchmark lets fall: 49 balls of 10 kg from 5 m, and a cube of 216 that does not touch itself."""
    head('pile')
    head('elastic')
    masses, places = {}, {}
    for scene in ('elastic/ball.xml', 'elastic/pile.xml', 'pile/pile.xml', 'elastic/balls.xml'):
        root = xml.etree.ElementTree.parse(SUITES / scene).getroot()
        places[scene] = [[float(part) for part in body.get('pos').split()] for body in root.iter('body')]
        masses[scene] = [float(geom.get('mass')) for geom in root.iter('geom') if geom.get('mass')]
    assert list(masses.values()) == [[490], [10], [10], []] and places['elastic/ball.xml'] == [[0, 0, 5]]
    assert len(places['elastic/balls.xml']) == 216
    for place in places['elastic/balls.xml']:
        off = [part - 0.21 * round(part / 0.21) for part in (place[0], place[1], place[2] - 1.101)]
        assert all(0 <= part <= 0.001 for part in off), place
    assert all(float(row['expected']) == 0 for suite in ('elastic', 'pile') for row in table(SUITES / suite / 'tests.csv'))


def check_heat():
    """The chain by small steps, each circle that of Hertz."""
    given = head('heat')['set']
    conductance = 2 * given['ThermalConductivity'] * math.sqrt(0.005 * 1e-4)
    heat = 460 * 7800 * 4 / 3 * math.pi * 0.01 ** 3
    chain, steps, step = [400.0] + [293.15] * 9, 0, 0.05
    for row in table(SUITES / 'heat' / 'tests.csv'):
        while steps < round(float(row['time']) / step):
            flow = [conductance * (a - b) for a, b in zip(chain, chain[1:])]
            chain = [value + step / heat * (came - went) for value, came, went in zip(chain, [0] + flow, flow + [0])]
            steps += 1
        assert abs(chain[int(row['column'][1:]) - 1] - float(row['expected'])) < 0.01, row['test']


def granular(balls, pull, push, step, runs):
    """What LAMMPS's granular styles make of two balls in a plane, or of one on the ground: the velocities and spin of the first.

    A ball is (radius, mass, height, vx, vz, spin); push(force) says what the bodies do to each other."""
    radius, mass = ([ball[k] for ball in balls] for k in (0, 1))
    place = [[0.0, ball[2]] for ball in balls]
    speed, spin = [[ball[3], ball[4]] for ball in balls], [ball[5] for ball in balls]
    inertia = [0.4 * m * r ** 2 for r, m in zip(radius, mass)]
    alone, contact = len(balls) == 1, {}
    reduced = mass[0] if alone else mass[0] * mass[1] / (mass[0] + mass[1])
    curved = radius[0] if alone else radius[0] * radius[1] / (radius[0] + radius[1])

    def forces(dt):
        x, z = (0, place[0][1]) if alone else (place[0][k] - place[1][k] for k in (0, 1))
        far = math.hypot(x, z)
        depth, n = sum(radius) - far, (x / far, z / far)
        if depth <= 0:
            contact.clear()
            return [[m * pull[0], m * pull[1], 0] for m in mass]
        rx, rz = speed[0] if alone else [speed[0][k] - speed[1][k] for k in (0, 1)]
        slip = rx * n[1] - rz * n[0] - sum(w * r for w, r in zip(spin, radius))
        normal, along, moment = push(contact, dt, depth, rx * n[0] + rz * n[1], slip, spin[0] * curved, curved, reduced)
        force = (normal * n[0] + along * n[1], normal * n[1] - along * n[0])
        arms = radius if alone else [r - depth / 2 for r in radius]
        return [[sign * force[0] + m * pull[0], sign * force[1] + m * pull[1], -arm * along + sign * moment]
                for sign, m, arm in zip((1, -1), mass, arms)]

    def kick(of):
        for k, (fx, fz, torque) in enumerate(of):
            speed[k][0] += step / 2 * fx / mass[k]
            speed[k][1] += step / 2 * fz / mass[k]
            spin[k] += step / 2 * torque / inertia[k]

    for count in runs:
        of = forces(0)
        for _ in range(count):
            kick(of)
            for at, v in zip(place, speed):
                at[0] += step * v[0]
                at[1] += step * v[1]
            of = forces(step)
            kick(of)
    return {'x': place[0][0], 'z': place[0][1], 'vx': speed[0][0], 'vz': speed[0][1], 'spin': spin[0]}


def variables(options):
    words = options.split(' -var ')
    return {word.split()[0]: [float(part) for part in word.split()[1:]] for word in [words[0].removeprefix('-var '), *words[1:]]}


def check_lammps():
    """Numbers that LAMMPS stores, by the equations of its manual: hertz/material or hooke, mindlin and its kin, rolling sds."""
    head('lammps')
    found = {}
    for row in table(SUITES / 'lammps' / 'tests.csv'):
        key = row['scene'], row['options'], row['set']
        given = dict(pair.split('=') for pair in row['set'].split(';'))
        history = given.pop('History')
        modulus, shear, e, mu, mur = (float(given[name].split()[0]) for name in
                                      ('ReducedModulus', 'ReducedShearModulus', 'Restitution', 'Friction', 'RollingFriction'))
        alpha = -math.sqrt(5) * math.log(e) / math.hypot(math.pi, math.log(e))

        def push(c, dt, depth, away, slip, roll, curved, mass):
            a = math.sqrt(depth * curved)
            stiff, before = 8 * shear * a, c.get('a', a)
            damper = alpha * math.sqrt(mass * 4 / 3 * modulus * a)
            normal = 4 / 3 * modulus * a * depth - damper * away
            stretch = c.get('stretch', 0) * {'Displacement': 1, 'Force': before / a, 'Rescale': min(a / before, 1),
                                             'RescaleForce': min(before / a, 1)}[history] + dt * slip
            along = -stiff * stretch - damper / 2 * slip
            if abs(along) > mu * abs(normal):
                along *= mu * abs(normal) / abs(along)
                stretch = -(along + damper / 2 * slip) / stiff
            rolled = c.get('rolled', 0) + dt * roll
            rolled = math.copysign(min(abs(rolled), mur * abs(normal) / 1e4), rolled)
            if dt or not c:
                c.update(a=a, stretch=stretch, rolled=rolled)
            return normal, along, -curved * 1e4 * rolled

        if key not in found:
            of = variables(row['options'])
            balls = [[of[name + end][0] if name + end in of else 0 for name in ('diameter', 'density', 'height', 'vx' + end, 'v', 'spin')]
                     for end in (('',) if row['scene'] == 'ball.in' else ('1', '2'))]
            if row['scene'] == 'ball.in':
                balls[0][3:5] = of['vx'][0], of['vz'][0]
            balls = [(d / 2, rho * math.pi / 6 * d ** 3, *rest) for d, rho, *rest in balls]
            pull = [of[name][0] if name in of else 0 for name in ('gx', 'gz')]
            found[key] = granular(balls, pull, push, float(row['step']), [round(count) for count in of['runs']])
        near(row['test'], found[key][row['column']], float(row['expected']), 1e-10)
    assert len(found) == 21, len(found)


def check_lammps_hooke():
    head('lammps-hooke')
    mass = 2700 * math.pi / 6 * 0.005 ** 3
    for row in table(SUITES / 'lammps-hooke' / 'tests.csv'):
        damper = float(row['set'].split(';Damping=')[1])

        def push(c, dt, depth, away, slip, roll, curved, reduced):
            return 1e6 * depth - damper * away, 0, 0
        found = granular([(0.0025, mass, 0.00255, 0, -2, 0), (0.0025, mass, -0.00255, 0, 2, 0)], (0, 0), push, float(row['step']), (2068, 727))
        near(row['test'], -found[row['column'].replace('x', 'z')], float(row['expected']), 1e-10)


check_lammps()
check_lammps_hooke()
check_spheres()
check_chung_ooi()
check_heat()
check_elastic_and_pile()
check_stacked()
check_kapla()
check_tops()
check_rod()
check_partial_slip()
check_scenes()
check_rolling()
check_bouncing()
check_stack()
check_cradle()
check_kharaz()
check_adhesion()
check_capillary()
check_tosses()
