# SPDX-License-Identifier: MIT
# usage: bits.py SOURCE BUILD LANES
#
# Every law and parameter set of tests/plugins/test_bits.c, and sums of laws, by pcm export: as C11 by gcc and clang, as
# C++11 at -O3 -march=native without other flags, as OpenCL C on the first device, and as CUDA, whose PTX is run
# instruction by instruction. Every number is that of the plugin, bit for bit; where the guards against contraction are
# taken out, numbers differ.
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import calls

SOURCE, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
LANES = sys.argv[3]
HERE = SOURCE / 'tests/export'
WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Werror']
SUMS = ['Hertz + Mindlin', 'HertzTsuji + Mindlin + RollingResistance',
        'HertzTsuji + Mindlin + RollingResistance + Twisting', 'Jkr + Mindlin + RollingResistance', 'Dmt + Mindlin',
        'HuntCrossley + CoulombRegularised', 'KelvinVoigt + BrownMcPhee', 'HertzTsuji + LuGre', 'HuntCrossley + Dupont',
        'HuntCrossley + AnisotropicFriction', 'HertzTsuji + Mindlin + ContactHeat', 'Hertz + GonthierBristle',
        'HertzTsuji + Mindlin + ArchardWear + ContactHeat + HeatConduction', 'BekkerWong + ParallelBond',
        'LudingHysteresis + CapillaryBridge', 'SpringContact + KelvinVoigt', 'KelvinVoigt + Microspine']
LARGEST, LONGEST = 40_000, 2  # bytes of a header with one type; seconds of its export
# Whose ten steps of Newton's method, and whose springs, stand one after the other.
LARGER = {'Maugis': 75_000, 'PartialSlip': 80_000}
CUDA = ['clang', '-x', 'cuda', '--cuda-device-only', '--cuda-gpu-arch=sm_70', '-nocudainc', '-nocudalib', '-O3',
        '-mllvm', '-inline-threshold=1000000', f'-I{HERE}', '-S']


def run(*words, **options):
    print('+', *(str(word) for word in words if len(str(word)) < 100), flush=True)
    return subprocess.run([str(word) for word in words], check=True, **options)


def file_of_laws(path):
    """A contact type for each row of test_bits.c's table, and for each sum."""
    text = (SOURCE / 'tests/plugins/test_bits.c').read_text()
    table = text[text.index('variants[] = {'):text.index('enum { VARIANTS')]
    rows = re.findall(r'\{"(\w+)", "([^"]*)",\s*0x\w+\}', table)
    assert len(rows) == table.count('{"')
    lines = [f'ContactType V{i} = {law} {{ {values} }};' for i, (law, values) in enumerate(rows)]
    lines += [f'ContactType S{i} = {sum_} {{ }};' for i, sum_ in enumerate(SUMS)]
    path.write_text('\n'.join(lines) + '\n')


def export(file, *options):
    out = file.parent / 'out.h'
    run(BUILD / 'tools/pcm', 'export', file, *options, '-o', out, stderr=subprocess.DEVNULL)
    return out.read_text()


def used(text, kit, found):
    """The functions of kit.h that the text calls, and those that they call."""
    for name in re.findall(r'\bpcmx_\w+(?=\()', text):
        if name in kit and name not in found:
            found.add(name)
            used(kit[name], kit, found)
    return found


def check_round(folder, file):
    """Contacts of one radius alone: the bits of a plugin that knows no other shape."""
    header, text = folder / 'round.h', export(file)
    header.write_text(text)
    assert 'curvature_1' not in text
    (folder / 'round.c').write_text(calls.plain(header, header))
    (folder / 'table.txt').write_text(calls.table(*calls.read(header)))
    run('gcc', '-std=c11', '-O2', *WARNINGS, '-shared', '-fPIC', folder / 'round.c', '-o', folder / 'round.so')
    compare(file, folder, [folder / 'round.so'], '10000')
    compare(file, folder, [folder / 'round.so'], 'time')
    check_sizes(text, file)


def check_sizes(text, file):
    """What a header of each type alone would have; one export has its time measured."""
    start, *types = re.split(r'(?=^/\* ---- (?:V|S)\d+: )', text, flags=re.M)
    prelude, *functions = re.split(r'(?=^#ifndef PCM_HAS_)', start[start.index('*/'):], flags=re.M)
    kit = {re.match(r'#ifndef PCM_HAS_(\w+)', function)[1]: function for function in functions}
    for type_ in types:
        size = len(prelude) + len(type_) + sum(len(kit[name]) for name in used(type_, kit, set()))
        law = re.search(r': (\w+)', type_)[1]
        assert size < LARGER.get(law, LARGEST), f'{law}: {size} bytes'
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    export(file, 'S12')
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert took < LONGEST, f'the export of a sum of five laws takes {took} s of processor time'


def compile_all(folder, header):
    """The objects to compare, each with its numbers of differences to be 0."""
    (folder / 'calls.c').write_text(calls.plain(header, header))
    (folder / 'calls.cc').write_text(calls.plain(header, header, 'extern "C" '))
    shared = ['-shared', '-fPIC', *WARNINGS]
    run('gcc', '-std=c11', '-O2', *shared, folder / 'calls.c', '-o', folder / 'gcc.so')
    run('clang', '-std=c11', '-O2', *shared, folder / 'calls.c', '-o', folder / 'clang.so')
    run('g++', '-std=c++11', '-O3', '-march=native', *shared, folder / 'calls.cc', '-o', folder / 'native.so')
    return [folder / name for name in ('gcc.so', 'clang.so', 'native.so')]


def compile_ptx(folder, header, name, *options):
    """Its own CUDA code, as nvcc or, without options, as clang compiles it."""
    verbs = ['forces', 'update']
    (folder / f'{name}.cu').write_text(calls.cuda(header, header, verbs))
    (folder / f'{name}_calls.c').write_text(calls.ptx(header, verbs))
    run(*CUDA, *options, folder / f'{name}.cu', '-o', folder / f'{name}.ptx')
    run(sys.executable, HERE / 'ptx.py', folder / f'{name}.ptx', folder / f'{name}.c')
    run('gcc', '-std=gnu17', '-O1', '-ffp-contract=off', '-w', '-shared', '-fPIC', folder / f'{name}.c',
        folder / f'{name}_calls.c', '-o', folder / f'{name}.so', '-lm')
    return folder / f'{name}.so'


def has_opencl(folder):
    test = folder / 'opencl.c'
    test.write_text('#define CL_TARGET_OPENCL_VERSION 120\n#include <CL/cl.h>\nint main(void) { cl_uint n = 0;'
                    'return clGetPlatformIDs(0, 0, &n) != CL_SUCCESS || n == 0; }\n')
    built = subprocess.run(['gcc', test, '-o', folder / 'opencl', '-lOpenCL'], stderr=subprocess.DEVNULL)
    return built.returncode == 0 and subprocess.run([folder / 'opencl']).returncode == 0


def compile_opencl(folder, header):
    kernels, around = calls.opencl(header, header, ['update'])
    (folder / 'kernels.cl').write_text(kernels)
    (folder / 'opencl_calls.c').write_text(around)
    run('gcc', '-std=gnu17', '-O1', *WARNINGS, '-shared', '-fPIC', f'-DPROGRAM="{folder}/kernels.cl"', '-DBUILD=""',
        f'-I{HERE}', folder / 'opencl_calls.c', '-o', folder / 'opencl.so', '-lOpenCL')
    return folder / 'opencl.so'


def compile_without_guards(folder, header):
    """The negative control: contraction where the processor has it, on a header whose guards are taken out."""
    if 'fma' not in pathlib.Path('/proc/cpuinfo').read_text().split():
        return None
    text = re.sub(r'_Pragma\(".*?"\)|#pragma GCC.*', '', header.read_text())
    (folder / 'open.h').write_text(text)
    (folder / 'open.c').write_text(calls.plain(header, folder / 'open.h'))
    run('clang', '-std=c11', '-O2', '-mfma', '-ffp-contract=fast', '-shared', '-fPIC', '-w', folder / 'open.c', '-o',
        folder / 'open.so')
    return folder / 'open.so'


def compare(file, folder, objects, lanes=LANES, wanted=0):
    lanes_program = BUILD / 'tests/export/lanes'
    status = subprocess.run([lanes_program, file, folder / 'table.txt', lanes, *objects]).returncode
    assert status == wanted, f'status {status}'


HIP = """#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#include "{header}"
extern "C" __global__ void run(K_contact c, double *out) {{ out[0] = K_forces(c).force_n; }}
"""


def check_hip(folder):
    """Code for AMD's cards, of a law without quotients and roots: nothing is fused, but where the guards are taken out."""
    file, header, bare = folder / 'hip.pcm', folder / 'hip.h', folder / 'bare.h'
    file.write_text('ContactType K = KelvinVoigt { };\n')
    header.write_text(export(file))
    bare.write_text(re.sub(r'_Pragma\(".*?"\)', '', header.read_text()))
    fused = []
    for text in (header, bare):
        (folder / 'law.hip').write_text(HIP.format(header=text))
        run('clang', '-x', 'hip', '--cuda-device-only', '--offload-arch=gfx90a', '-nogpuinc', '-nogpulib', '-O3', '-S',
            folder / 'law.hip', '-o', folder / 'law.s')
        fused.append(len(re.findall('v_fma|v_min_f64|v_max_f64', (folder / 'law.s').read_text())))
    assert fused[0] == 0 and fused[1] > 0, fused


FREE = """ContactType A = HuntCrossley { Dissipation = 0.3; };
ContactType B = Hertz + Mindlin { Restitution = 0.3; };
ContactType C = HertzTsuji { Restitution = 0.3; };
"""


def check_free(folder):
    """Parameters as arguments, through the laws' prepare, one of which searches by bisection."""
    file, header = folder / 'free.pcm', folder / 'free.h'
    file.write_text(FREE)
    header.write_text(export(file, '--free', 'Restitution,Dissipation'))
    (folder / 'free.c').write_text(calls.plain(header, header, arguments={'A': '0.3', 'B': '0.3', 'C': '0.3'}))
    run('gcc', '-std=c11', '-O2', *WARNINGS, '-shared', '-fPIC', folder / 'free.c', '-o', folder / 'free.so')
    (folder / 'table.txt').write_text(calls.table(*calls.read(header)))
    compare(file, folder, [folder / 'free.so'], '1000')


PAIRS = """ContactType Grip = HuntCrossley { };
ContactType Soft = Hertz { };
ContactType Own = DefaultContact;
Material Steel { YoungModulus = 2e11; PoissonRatio = 0.3; };
Material Ice { YoungModulus = 9e9; PoissonRatio = 0.33; };
SurfacePair Steel * Ice -> Soft;
SurfacePair Ice * Ice -> Soft;
SurfacePair Rubber * Steel -> Grip;
SurfacePair Ice * Wood -> Own;
"""
ASKED = """#include "pairs.h"
#define IS(a, b, type, b_is_base) \\
    (pairs_type(pairs_SURFACE_##a, pairs_SURFACE_##b) == (type) && \\
     pairs_base_is_b(pairs_SURFACE_##a, pairs_SURFACE_##b) == (b_is_base))
int main(void)
{
    return !(IS(Steel, Ice, Soft_Steel_Ice_TYPE, 0) && IS(Ice, Steel, Soft_Steel_Ice_TYPE, 1) &&
             IS(Ice, Ice, Soft_Ice_Ice_TYPE, 0) && IS(Rubber, Steel, Grip_TYPE, 0) &&
             IS(Steel, Rubber, Grip_TYPE, 1) && IS(Ice, Wood, PCMX_NATIVE, 0) &&
             IS(Steel, Steel, PCMX_UNASSIGNED, 0));
}
"""


def check_surfaces(folder):
    """The type of a pair of surfaces, by the rules and the materials of both; the same in single precision."""
    file = folder / 'pairs.pcm'
    file.write_text(PAIRS)
    (folder / 'pairs.c').write_text(ASKED)
    for options in ([], ['--float']):
        (folder / 'pairs.h').write_text(export(file, *options))
        for compiler in (['gcc', '-std=c11'], ['clang', '-std=c11'], ['g++', '-xc++', '-std=c++11']):
            run(*compiler, '-O1', *WARNINGS, folder / 'pairs.c', '-o', folder / 'pairs', '-lm')
            run(folder / 'pairs')


def check_fast_math(folder):
    for compiler, option in (('gcc', '-ffast-math'), ('clang', '-ffast-math')):
        said = subprocess.run([compiler, option, '-fsyntax-only', folder / 'calls.c'], capture_output=True, text=True)
        assert said.returncode != 0 and 'fast-math' in said.stderr, compiler


def main():
    os.environ |= {'PCM_PLUGIN_PATH': str(BUILD / 'plugins'), 'PKG_CONFIG_PATH': str(BUILD / 'meson-uninstalled')}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ['POCL_CACHE_DIR'] = str(folder / 'pocl')
        file, header = folder / 'laws.pcm', folder / 'laws.h'
        file_of_laws(file)
        header.write_text(export(file, '--shapes'))
        some = ('S0', 'S4', 'V0')
        assert export(file, *some, '--shapes') == export(file, *some, '--shapes'), 'two exports of the same types differ'
        check_round(folder, file)
        (folder / 'table.txt').write_text(calls.table(*calls.read(header)))
        objects = compile_all(folder, header)
        objects += [compile_ptx(folder, header, 'clang_cuda'), compile_ptx(folder, header, 'nvcc_cuda', '-U__clang__')]
        if has_opencl(folder):
            objects.append(compile_opencl(folder, header))
        else:
            print('no device with OpenCL: not compared')
        compare(file, folder, objects)
        check_fast_math(folder)
        control = compile_without_guards(folder, header)
        if control:
            compare(file, folder, [control], '2000', wanted=1)
        check_hip(folder)
        check_free(folder)
        check_surfaces(folder)


if __name__ == '__main__':
    if not shutil.which('clang') or not shutil.which('g++'):
        print('needs clang and g++')
        sys.exit(77)
    main()
