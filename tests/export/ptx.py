# SPDX-License-Identifier: MIT
# usage: ptx.py FILE.ptx OUT.c
#
# Turns kernels in PTX, each of one contact, into C: a function ptx_NAME(in, out) for each .entry. Every instruction
# becomes a statement; any other one than these is an error, so that nothing fused or approximate slips through.
import re
import sys

REGISTERS = {'f64': 'double', 'b64': 'uint64_t', 'b32': 'uint32_t', 'pred': 'int'}
# Sums without .rn may be fused, but with products without it alone, of which there are none.
TWO = {'add.f64': '+', 'sub.f64': '-', 'add.rn.f64': '+', 'sub.rn.f64': '-', 'mul.rn.f64': '*', 'div.rn.f64': '/',
       'add.s64': '+', 'sub.s64': '-',
       'add.s32': '+', 'mul.lo.s64': '*', 'and.b64': '&', 'or.b64': '|', 'xor.b64': '^', 'and.b32': '&', 'or.b32': '|',
       'xor.b32': '^', 'and.pred': '&', 'or.pred': '|', 'xor.pred': '^'}
ONE = {'neg.f64': '-({})', 'abs.f64': 'fabs({})', 'sqrt.rn.f64': 'sqrt({})', 'rcp.rn.f64': '1/({})', 'not.pred': '!({})',
       'not.b64': '~({})', 'cvta.to.global.u64': '{}', 'cvt.rn.f64.u32': '(double)(uint32_t)({})',
       'cvt.rn.f64.s32': '(double)(int32_t)({})', 'cvt.rn.f64.s64': '(double)(int64_t)({})',
       'cvt.rn.f64.u64': '(double)(uint64_t)({})', 'cvt.rzi.s64.f64': '(uint64_t)(int64_t)({})',
       'cvt.rzi.s32.f64': '(uint32_t)(int32_t)({})', 'cvt.u32.u64': '(uint32_t)({})',
       'cvt.u64.u32': '(uint64_t)(uint32_t)({})', 'cvt.s64.s32': '(uint64_t)(int64_t)(int32_t)({})'}
MOVES = {'mov.f64', 'mov.u64', 'mov.u32', 'mov.pred'}
COMPARE = {'eq': '{0} == {1}', 'ne': '{0} < {1} || {0} > {1}', 'lt': '{0} < {1}', 'le': '{0} <= {1}', 'gt': '{0} > {1}',
           'ge': '{0} >= {1}', 'equ': '!({0} < {1} || {0} > {1})', 'neu': '{0} != {1}', 'ltu': '!({0} >= {1})',
           'leu': '!({0} > {1})', 'gtu': '!({0} <= {1})', 'geu': '!({0} < {1})', 'num': '{0} == {0} && {1} == {1}',
           'nan': '{0} != {0} || {1} != {1}'}


def operand(text):
    text = text.strip()
    if text.startswith('%'):
        return text[1:]
    if text.startswith('0d'):
        return f'number(0x{text[2:]}u)'
    return {'True': '1', 'False': '0'}.get(text, text + ('u' if text.isdigit() else ''))


def whole(sign, a, b, kind):
    cast = {'s64': '(int64_t)', 's32': '(int32_t)'}.get(kind, '')
    text = {'eq': '==', 'ne': '!=', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>='}[sign]
    return f'{cast}({a}) {text} {cast}({b})'


def statement(line):
    guard = re.match(r'@(!?)%(\w+)\s+bra\s+\$?(\w+);$', line)
    if guard:
        return f'if ({guard[1]}{guard[2]}) goto {guard[3]};'
    if re.match(r'bra(\.uni)?\s', line):
        return 'goto ' + re.sub(r'bra(\.uni)?\s+\$?(\w+);', r'\2', line) + ';'
    if line == 'ret;':
        return 'return;'
    name, rest = re.match(r'([\w.]+)\s+(.*);$', line).groups()
    memory = re.match(r'(ld|st)\.global\.([fu]64)$', name)
    if memory:
        place = re.search(r'\[%(\w+)(?:\+(\d+))?\]', rest)
        value = operand(re.sub(r',?\s*\[.*?\]\s*,?', '', rest))
        at = f'(char *)(uintptr_t)({place[1]} + {place[2] or 0}u)'
        return f'memcpy({at}, &{value}, 8);' if memory[1] == 'st' else f'memcpy(&{value}, {at}, 8);'
    to, *words = [operand(word) for word in re.sub(r'[\[\]]', '', rest).split(',')]
    if name == 'ld.param.u64':
        return f'{to} = (uint64_t)(uintptr_t)param_{words[0].split("_")[-1]};'
    if name == 'mov.b64':
        return f'memcpy(&{to}, &{words[0]}, 8);'
    if name in MOVES:
        return f'{to} = {words[0]};'
    if name in TWO:
        return f'{to} = {words[0]} {TWO[name]} {words[1]};'
    if name in ONE:
        return f'{to} = {ONE[name].format(*words)};'
    shift = re.match(r'sh([lr])\.([bus])(64|32)$', name)
    if shift:
        kind = f'{"" if shift[2] == "s" else "u"}int{shift[3]}_t'
        return f'{to} = ({kind}){words[0]} {"<<" if shift[1] == "l" else ">>"} {words[1]};'
    compare = re.match(r'setp\.(\w+)\.(\w+)$', name)
    if compare and compare[2] == 'f64':
        return f'{to} = {COMPARE[compare[1]].format(*words)};'
    if compare:
        return f'{to} = {whole(compare[1], *words, compare[2])};'
    if re.match(r'selp\.[bfus](64|32)$', name):
        return f'{to} = {words[2]} ? {words[0]} : {words[1]};'
    raise SystemExit(f'ptx.py: an instruction that no law may need: {line}')


def kernel(name, body):
    lines = [f'void ptx_{name}(const double *param_0, double *param_1);',
             f'void ptx_{name}(const double *param_0, double *param_1)', '{']
    for kind, prefix, count in re.findall(r'\.reg \.(\w+)\s+%(\w+?)<(\d+)>;', body):
        lines += [f'    {REGISTERS[kind]} ' + ', '.join(f'{prefix}{i} = 0' for i in range(int(count))) + ';']
    for line in body.splitlines():
        line = line.split('//')[0].strip()
        if re.match(r'\$?\w+:$', line):
            lines.append(line.lstrip('$') + ' ;')
        elif line and not line.startswith('.reg') and line not in '{}':
            lines.append('    ' + statement(line))
    return '\n'.join(lines + ['}', ''])


def main():
    text = open(sys.argv[1]).read()
    with open(sys.argv[2], 'w') as out:
        out.write('#include <math.h>\n#include <stdint.h>\n#include <string.h>\n'
                  'static inline double number(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }\n')
        kernels = re.findall(r'\.entry (\w+)\(.*?\)\s*\{(.*?)^\}', text, re.M | re.S)
        for name, body in kernels:
            out.write(kernel(name, body))
    return 0 if kernels else 1


if __name__ == '__main__':
    sys.exit(main())
