// SPDX-License-Identifier: MIT
// law.js - laws beside a running program: what dlopen does, for WebAssembly.

/** The memory and table sizes that the section "dylink.0" of a side module requests. */
function needs(module) {
    const [section] = WebAssembly.Module.customSections(module, "dylink.0");
    if (!section) throw new Error("it is no side module: link it with wasm-ld -shared");
    const bytes = new Uint8Array(section);
    let at = 0;
    const number = () => {
        let value = 0;
        for (let shift = 0; ; shift += 7) {
            const byte = bytes[at++];
            value |= (byte & 0x7f) << shift;
            if (!(byte & 0x80)) return value >>> 0;
        }
    };
    while (at < bytes.length) {
        const kind = bytes[at++];
        const end = number() + at;
        if (kind === 1) return { size: number(), align: 1 << number(), slots: number() };
        at = end;
    }
    throw new Error("it does not say what memory it needs");
}

/** Loads the law's compiled module into the memory and table of the program with these exports. Returns the address of
 * its pcm_entry; libpcm checks whether it is valid. */
export async function loadLaw(program, module) {
    const { size, align, slots } = needs(module);
    const { memory, __indirect_function_table: table } = program;
    const block = program.malloc(size + align);
    const base = Math.ceil(block / align) * align;
    new Uint8Array(memory.buffer).fill(0, base, base + size);
    const global = (value, mutable) => new WebAssembly.Global({ value: "i32", mutable }, value);
    const env = {
        memory,
        __indirect_function_table: table,
        __memory_base: global(base, false),
        __table_base: global(table.grow(slots), false),
        __stack_pointer: program.__stack_pointer,
    };
    const imported = { env };
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
        imported[from] ??= {};
        if (imported[from][name] !== undefined) continue;
        if (kind === "global") imported[from][name] = global(0, true); // the module's own symbols, resolved below
        else if (program[name]) imported[from][name] = program[name];
        else throw new Error(`it needs the function ${name}, which pages do not have; <pcm/kit.h> has pcm_exp, pcm_sin and others`);
    }
    const { exports } = await WebAssembly.instantiate(module, imported);
    for (const [symbol, address] of Object.entries(exports)) {
        const own = imported["GOT.mem"]?.[symbol];
        if (own && address instanceof WebAssembly.Global) own.value = base + address.value;
    }
    for (const [symbol, code] of Object.entries(exports))
        if (imported["GOT.func"]?.[symbol]) {
            imported["GOT.func"][symbol].value = table.grow(1);
            table.set(table.length - 1, code);
        }
    exports.__wasm_apply_data_relocs?.();
    exports.__wasm_call_ctors?.();
    if (!exports.pcm_entry) throw new Error("it exports no pcm_entry; end it with PCM_KERNELS(...); PCM_MODEL(...);");
    return base + exports.pcm_entry.value;
}
