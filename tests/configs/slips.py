# SPDX-License-Identifier: MIT
"""usage: slips.py PCM PLUGINS PROMISES TABLE...

Wrong files and commands as newcomers write them, and what pcm says to each. A table has cases:

    == fix: a decimal comma          what the answer does (below), and what is wrong
    ContactType Floor = ...          the lines of case.pcm; \\xNN is a byte
    = 0,5                            ... in short: KelvinVoigt with that stiffness
    @ pad.csv                        the lines of another file follow
    $ pcm check case.pcm --set K=2   the command; without one: pcm check case.pcm
    > case.pcm:1:1: error: ...       the answer and, in brackets, the exit status

The answer names the fix ("fix"), only the place ("place"), or there is nothing wrong ("legal"). Numbers of them stand
in the page of promises. PCM_UPDATE_GOLDEN=1 writes the answers anew. Each case is also mended by --fix: no error may be
new afterwards."""
import os, re, shutil, subprocess, sys, tempfile

SHORT = 'ContactType Floor = KelvinVoigt {{ Stiffness = {}; }};\nDefaultPair -> Floor;\n'
KINDS = ('fix', 'place', 'legal')


class Case:
    def __init__(self, line):
        self.line, self.lines, self.answer = line, [], []
        kind, _, self.title = line[3:].partition(': ')
        if kind not in KINDS or not self.title:
            sys.exit(f'{line}: a case is fix, place or legal')
        self.kind, self.command = kind, 'pcm check case.pcm'

    def take(self, line):
        self.lines.append(line)
        if line.startswith('$ '):
            self.command = line[2:]

    def write(self, folder):
        name, text = 'case.pcm', ''
        files = {}
        for line in self.lines:
            if line.startswith('@ '):
                files[name], name, text = text, line[2:], ''
            elif line.startswith('= '):
                text += SHORT.format(line[2:])
            elif not line.startswith('$ '):
                text += line + '\n'
        files[name] = text
        for name, text in files.items():
            data = re.sub(rb'\\x([0-9a-f]{2})', lambda byte: bytes([int(byte[1], 16)]), text.encode())
            with open(os.path.join(folder, name), 'wb') as out:
                out.write(data)


def read(path):
    cases, head = [], []
    for line in open(path, encoding='utf-8').read().splitlines():
        if line.startswith('== '):
            cases.append(Case(line))
        elif not cases:
            head.append(line)
        elif line.startswith('> ') or line == '>':
            cases[-1].answer.append(line)
        elif line:
            cases[-1].take(line)
    return head, cases


def run(command, folder):
    plugins = os.environ['PCM_PLUGIN_PATH']
    done = subprocess.run(command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60)
    if done.returncode not in (0, 1, 2):
        sys.exit(f'{command} ends with {done.returncode}')
    said = done.stdout.decode('utf-8')  # which also holds that all of it is UTF-8
    return said.replace(f'{plugins}, {plugins}', 'PLUGINS').replace(plugins, 'PLUGINS') + f'[{done.returncode}]'


def errors(text):
    return sorted(re.findall(r': error: (.*)', text))


def fixed_well(case, said, folder):
    """Whether --fix leaves only errors that were there before."""
    run('pcm check case.pcm --fix', folder)
    before, after = errors(said), errors(run(case.command, folder))
    new = list(after)
    for error in before:
        if error in new:
            new.remove(error)
    if new:
        print(f'{case.title}: after --fix there is the new error {new[0]}')
    return not new


def check(case):
    folder = tempfile.mkdtemp()
    try:
        case.write(folder)
        said = run(case.command, folder)
        case.now = ['> ' + line if line else '>' for line in said.splitlines()]
        same = os.environ.get('PCM_UPDATE_GOLDEN') or case.now == case.answer
        if not same:
            print(f'{case.line}\nsays', *case.now, 'but must say', *case.answer, sep='\n')
        return bool(same) & fixed_well(case, said, folder)
    finally:
        shutil.rmtree(folder)


def main(pcm, plugins, promises, *tables):
    os.environ['PATH'] = os.path.dirname(os.path.abspath(pcm)) + ':' + os.environ['PATH']
    os.environ['PCM_PLUGIN_PATH'] = plugins
    good, count = True, dict.fromkeys(KINDS, 0)
    for path in tables:
        head, cases = read(path)
        for case in cases:
            good &= check(case)
            count[case.kind] += 1
        if os.environ.get('PCM_UPDATE_GOLDEN'):
            text = '\n'.join(head + [line for case in cases for line in [case.line, *case.lines, *case.now, '']])
            open(path, 'w', encoding='utf-8').write(text.rstrip('\n') + '\n')
    says = f'{sum(count.values())} wrong files and commands: {count["fix"]} answers name the fix, {count["place"]} ' \
           f'only the place, {count["legal"]} are legal'
    if says not in ' '.join(open(promises, encoding='utf-8').read().split()):
        print(f'{promises} does not say: {says}')
        good = False
    return 0 if good else 1


sys.exit(main(*sys.argv[1:]))
