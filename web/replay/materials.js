// SPDX-License-Identifier: MIT
// materials.js - how things look: matt bodies in soft light, grounds with a grid, marks that keep their colour.
import * as THREE from "three";

/** Quiet colours of bodies that the scene gives none, told apart by lightness, too. */
const palette = ["#8ba3bd", "#c2a67c", "#86ab95", "#b98f97", "#a49bc4", "#b9b386", "#7fadb3", "#bd9a82"];

export function quietColor(number) {
    return new THREE.Color(palette[number % palette.length]);
}

/** Of bodies; instances have colours of their own. */
export function bodyMaterial(opacity) {
    return new THREE.MeshLambertMaterial({ transparent: opacity < 1, opacity, side: opacity < 1 ? THREE.FrontSide : THREE.DoubleSide, depthWrite: opacity === 1 });
}

/** Of grounds: a grid in the plane's own axes, whose spacing is in m. Lines keep their width on the screen and fade where
 * they would flicker. */
export function groundMaterial(opacity, spacing) {
    const material = bodyMaterial(opacity);
    material.onBeforeCompile = (shader) => {
        shader.uniforms.spacing = spacing;
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", "#include <common>\nvarying vec2 onGround;")
            .replace("#include <begin_vertex>", "#include <begin_vertex>\nonGround = (instanceMatrix * vec4(position, 1.0)).xy;");
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <common>", "#include <common>\nvarying vec2 onGround;\nuniform float spacing;\n" + gridLines)
            .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb = withGrid(diffuseColor.rgb);");
    };
    material.extensions = { derivatives: true };
    return material;
}

const gridLines = `
float lines(float every) {
    vec2 at = onGround / every;
    vec2 wide = fwidth(at);
    vec2 near = abs(fract(at - 0.5) - 0.5) / max(wide, vec2(1e-6));
    vec2 fade = clamp(0.5 - wide, 0.0, 0.3) / 0.3;
    return max((1.0 - min(near.x, 1.0)) * fade.x, (1.0 - min(near.y, 1.0)) * fade.y);
}

vec3 withGrid(vec3 color) {
    float fine = 0.35 * lines(spacing), coarse = 0.7 * lines(5.0 * spacing);
    float bright = dot(color, vec3(0.3, 0.6, 0.1));
    return mix(color, bright > 0.18 ? color * 0.62 : color + 0.09, max(fine, coarse));
}`;

/** Of arrows and marks: their colour, whatever the light. */
export function flatMaterial(options) {
    return new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, toneMapped: false, transparent: options.opacity < 1, ...options });
}
