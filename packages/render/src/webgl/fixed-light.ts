/**
 * Makes MeshLambertMaterial in THREE.WebGLRenderer match the software renderer: light is clamped to 1 before it is
 * multiplied by the texture, and normals optionally keep the length that the object's scale gives them.
 */
import { type Material, ShaderChunk } from 'three';

const SUM = 'reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;';
const TEXEL = `
vec4 texel = vec4( 1.0 );
#ifdef USE_MAP
  texel = texture2D( map, vMapUv );
#endif`;

interface Shader {
  vertexShader: string;
  fragmentShader: string;
}

/** Patches the shader in place. */
export function fixLight(shader: Shader, scaledNormals: boolean): void {
  shader.fragmentShader = shader.fragmentShader
    .replace('#include <map_fragment>', TEXEL)
    .replace(SUM, `clamp( ${SUM.slice(0, -1)}, 0.0, 1.0 ) * texel.rgb;`);
  if (!scaledNormals) return;
  shader.vertexShader = shader.vertexShader.replace('#include <normal_vertex>', 'vNormal = transformedNormal;');
  shader.fragmentShader = shader.fragmentShader.replace(
    '#include <normal_fragment_begin>',
    ShaderChunk.normal_fragment_begin.replace('normalize( vNormal )', 'vNormal'),
  );
}

/** Patches the material's shader when it is compiled. A material with its own `onBeforeCompile` is not changed. */
export function useFixedLight(material: Material, scaledNormals: boolean): void {
  if (!('isMeshLambertMaterial' in material) || Object.hasOwn(material, 'onBeforeCompile')) return;
  material.onBeforeCompile = (shader) => fixLight(shader, scaledNormals);
  material.customProgramCacheKey = () => `vlgym-fixed-light-${scaledNormals}`;
  material.needsUpdate = true;
}
