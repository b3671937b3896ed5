/**
 * Makes a MeshLambertMaterial of THREE.WebGLRenderer shine as the software renderer's does: light is cut at 1 before the
 * texture is multiplied with it, and normals keep the length that an object's scale gives them when that is wanted.
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

/** Changes the shader in place. */
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

/** Has a material's shader changed when it is compiled; one that brings a change of its own is left alone. */
export function useFixedLight(material: Material, scaledNormals: boolean): void {
  if (!('isMeshLambertMaterial' in material) || Object.hasOwn(material, 'onBeforeCompile')) return;
  material.onBeforeCompile = (shader) => fixLight(shader, scaledNormals);
  material.customProgramCacheKey = () => `vlgym-fixed-light-${scaledNormals}`;
  material.needsUpdate = true;
}
