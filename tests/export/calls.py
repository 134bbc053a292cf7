# SPDX-License-Identifier: MIT
# Reads the structs and functions of a header by pcm export, and writes what the tests compile around it.
import re

VERBS = ['forces', 'update', 'establish', 'jump', 'terminate']
RESULTS = {'forces': 'result', 'update': 'report', 'establish': 'state', 'jump': 'state', 'terminate': 'end'}
EVENTS = 4  # jump is called for so many events


def read(path):
    """Each type -> {struct: its members, without those of inner structs}, and the verbs that it has."""
    text = open(path).read()
    structs = {}
    for name, body in re.findall(r'^typedef struct (\w+) \{\n(.*?)^\} \1;$', text, re.M | re.S):
        structs[name] = re.findall(r'^    (\w+) (\w+); /\* (\S+): .* \*/$', body, re.M)
        assert len(structs[name]) == body.count('\n'), name
    types = re.findall(r'^    (\w+)_TYPE = \d+', text, re.M)
    verbs = {t: [v for v in VERBS if re.search(rf'^PCM_FN \w+ {t}_{v}\(', text, re.M)] for t in types}
    return structs, types, verbs


def members(structs, struct):
    """The numbers of a struct in the order of memory, as paths."""
    found = []
    for kind, name, _ in structs[struct]:
        found += [f'{name}.{inner}' for inner in members(structs, kind)] if kind in structs else [name]
    return found


def table(structs, types, verbs):
    """Lines for lanes.c: what stands where."""
    lines = []
    for t in types:
        lines.append(f'type {t}')
        lines.append('contact ' + ' '.join(members(structs, f'{t}_contact')))
        lines += [f'{v} ' + ' '.join(members(structs, f'{t}_{RESULTS[v]}')) for v in verbs[t]]
    return '\n'.join(lines) + '\n'


CALL = """
{function} void call_{t}_{v}({space}const double *in, {space}double *out)
{{
    {t}_contact c;
    {t}_{result} r;
    {space}double *to = out;
{read}
    r = {t}_{v}(c{event});
{write}
}}
"""


def call(structs, t, verb, function, space):
    """A function that reads a contact's numbers from an array and writes those of the result."""
    whole = set()
    for struct in (f'{t}_contact', f'{t}_result', f'{t}_report'):
        whole |= {name for kind, name, _ in structs[struct] if kind == 'pcmx_int'}
    read = [f'    c.{m} = in[{i}];' for i, m in enumerate(members(structs, f'{t}_contact'))]
    write = []
    for m in members(structs, f'{t}_{RESULTS[verb]}'):
        is_whole = m.split('.')[-1] in whole
        write.append(f'    *to++ = {"(double)" if is_whole else ""}r.{m};')
    event = ', (int)*to' if verb == 'jump' else ''  # the event stands where the answer will be
    return CALL.format(function=function, t=t, v=verb, space=space, result=RESULTS[verb], read='\n'.join(read),
                       write='\n'.join(write), event=event)


def source(path, header, extern=''):
    """C or C++ with a function lanes_TYPE_VERB for every type and verb, which goes through an array of contacts."""
    structs, types, verbs = read(path)
    text = [f'#include "{header}"\n']
    for t in types:
        for v in verbs[t]:
            n_in, n_out = len(members(structs, f'{t}_contact')), len(members(structs, f'{t}_{RESULTS[v]}'))
            text.append(call(structs, t, v, 'static', ''))
            text.append(f'{extern}void lanes_{t}_{v}(const double *in, double *out, unsigned long n);\n'
                        f'{extern}void lanes_{t}_{v}(const double *in, double *out, unsigned long n)\n{{\n'
                        f'    unsigned long i;\n    for (i = 0; i < n; i++)\n'
                        f'        call_{t}_{v}(in + i * {n_in}, out + i * {n_out});\n}}\n')
    return ''.join(text)
