// SPDX-License-Identifier: MIT
// materials.js - how things look. Light is worked out at the corners of triangles, since in software each pixel counts.
import * as THREE from "three";

const vertexShader = `
varying vec3 seen;

vec3 onScreen(vec3 color) {
    vec3 bright = 1.055 * pow(color, vec3(1.0 / 2.4)) - 0.055;
    return mix(bright, 12.92 * color, vec3(lessThanEqual(color, vec3(0.0031308))));
}

/** Light of the sky and the sun, on the visible side. */
float lightOn(vec3 normal, vec3 eye) {
    vec3 n = dot(normal, eye) < 0.0 ? -normal : normal;
    return 0.48 + 0.16 * n.z + 0.62 * max(0.0, dot(n, normalize(vec3(2.0, -3.0, 5.0))));
}

void main() {
    vec4 at = instanceMatrix * vec4(position, 1.0);
    float light = 1.0;
#ifdef LIT
    mat3 turn = mat3(instanceMatrix);
    vec3 scale = vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2]));
    light = lightOn(normalize(turn * (normal / scale)), cameraPosition - at.xyz);
#endif
    seen = onScreen(min(instanceColor * light, 1.0));
    gl_Position = projectionMatrix * viewMatrix * at;
}`;

const fragmentShader = `
varying vec3 seen;
uniform float opacity;

void main() {
    gl_FragColor = vec4(seen, opacity);
}`;

/** For instances whose colours depend on world axes. options: those of a material, and whether it is lit. */
export function materialOf({ lit = false, opacity = 1, ...options }) {
    return new THREE.ShaderMaterial({
        vertexShader,
        fragmentShader,
        uniforms: { opacity: { value: opacity } },
        defines: lit ? { LIT: 1 } : {},
        transparent: opacity < 1,
        side: THREE.DoubleSide,
        ...options,
    });
}
