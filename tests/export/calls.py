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
    r = {t}_{v}({params}c{event});
{write}
}}
"""


def call(structs, t, verb, function, space, arguments=None):
    """A function that reads a contact's numbers from an array and writes those of the result. arguments: of prepare, by
    type."""
    whole = set()
    for struct in (f'{t}_contact', f'{t}_result', f'{t}_report'):
        whole |= {name for kind, name, _ in structs[struct] if kind == 'pcmx_int'}
    read = [f'    c.{m} = in[{i}];' for i, m in enumerate(members(structs, f'{t}_contact'))]
    write = []
    for m in members(structs, f'{t}_{RESULTS[verb]}'):
        is_whole = m.split('.')[-1] in whole
        write.append(f'    *to++ = {"(double)" if is_whole else ""}r.{m};')
    event = ', (int)*to' if verb == 'jump' else ''  # the event stands where the answer will be
    params = f'{t}_prepare({arguments[t]}), ' if arguments else ''
    return CALL.format(params=params, function=function, t=t, v=verb, space=space, result=RESULTS[verb], read='\n'.join(read),
                       write='\n'.join(write), event=event)


def each(structs, types, verbs):
    """Each function of the header: its type and verb, and how many numbers go in and out."""
    for t in types:
        for v in verbs[t]:
            yield t, v, len(members(structs, f'{t}_contact')), len(members(structs, f'{t}_{RESULTS[v]}'))


LANES = """
{extern}void lanes_{t}_{v}(const double *in, double *out, unsigned long n);
{extern}void lanes_{t}_{v}(const double *in, double *out, unsigned long n)
{{
{body}
}}
"""


def lanes(t, v, body, extern=''):
    return LANES.format(extern=extern, t=t, v=v, body=body)


def plain(path, header, extern='', arguments=None):
    """C or C++ with a function lanes_TYPE_VERB for every type and verb, which goes through an array of contacts."""
    header_of = read(path)
    text = [f'#include "{header}"\n']
    for t, v, n_in, n_out in each(*header_of):
        text.append(call(header_of[0], t, v, 'static', '', arguments))
        text.append(lanes(t, v, f'    unsigned long i;\n    for (i = 0; i < n; i++)\n'
                                f'        call_{t}_{v}(in + i * {n_in}, out + i * {n_out});', extern))
    return ''.join(text)


def opencl(path, header, verbs):
    """A program in OpenCL C with a kernel for every type and these verbs, and C that runs them: see opencl.h."""
    header_of = read(path)
    kernels, text = [f'#include "{header}"\n'], ['#include "opencl.h"\n']
    for t, v, n_in, n_out in each(*header_of):
        if v not in verbs:
            continue
        kernels.append(call(header_of[0], t, v, 'static', '__global '))
        kernels.append(f'__kernel void run_{t}_{v}(__global const double *in, __global double *out)\n{{\n'
                       f'    size_t i = get_global_id(0);\n'
                       f'    call_{t}_{v}(in + i * {n_in}, out + i * {n_out});\n}}\n')
        text.append(lanes(t, v, f'    run_kernel("run_{t}_{v}", in, {n_in}, out, {n_out}, n);'))
    return ''.join(kernels), ''.join(text)


def cuda(path, header, verbs):
    """CUDA with a kernel for every type and these verbs, which takes one contact."""
    header_of = read(path)
    text = ['#include "cuda_stub.h"\n', f'#include "{header}"\n']
    for t, v, _, _ in each(*header_of):
        if v in verbs:
            text.append(call(header_of[0], t, v, 'extern "C" __global__', ''))
    return ''.join(text)


def ptx(path, verbs):
    """C that runs what ptx.py makes of these kernels."""
    text = []
    for t, v, n_in, n_out in each(*read(path)):
        if v in verbs:
            text.append(f'void ptx_call_{t}_{v}(const double *in, double *out);\n')
            text.append(lanes(t, v, f'    unsigned long i;\n    for (i = 0; i < n; i++)\n'
                                    f'        ptx_call_{t}_{v}(in + i * {n_in}, out + i * {n_out});'))
    return ''.join(text)
