/**
 * The lights of a scene in the form of OpenGL's fixed pipeline: one ambient color, and directions with colors.
 *
 * three.js divides diffuse reflection by pi, so a light of intensity pi has its full color in both.
 */
import type { AmbientLight, DirectionalLight, HemisphereLight, Light } from 'three';
import { RenderError } from '../errors.js';
import { DRAW } from './layout.js';

export interface Lights {
  /** Red, green, blue. */
  readonly ambient: [number, number, number];
  /** [count, 6]: unit vector toward the light, red, green, blue. */
  readonly directions: number[];
}

/** Adds one light of the scene. */
export function addLight(lights: Lights, light: Light): void {
  if (light.castShadow) {
    throw new RenderError(`A ${light.type} with castShadow cannot be drawn.`, {
      code: 'UNSUPPORTED_SCENE',
      value: 'castShadow',
      expected: 'lights without shadows',
      hint: 'set light.castShadow = false: there are no shadows',
    });
  }
  const strength = light.intensity / Math.PI;
  const { r, g, b } = light.color;
  if ((light as AmbientLight).isAmbientLight) {
    addAmbient(lights, r * strength, g * strength, b * strength);
  } else if ((light as DirectionalLight).isDirectionalLight) {
    const from = light.matrixWorld.elements;
    const to = (light as DirectionalLight).target.matrixWorld.elements;
    const x = from[12]! - to[12]!;
    const y = from[13]! - to[13]!;
    push(lights, x, y, from[14]! - to[14]!, r * strength, g * strength, b * strength);
  } else if ((light as HemisphereLight).isHemisphereLight) {
    // The color is linear in the height of the normal, from the ground color to the sky color. It equals the mean as
    // ambient light plus two opposite directional lights with opposite colors.
    const { groundColor } = light as HemisphereLight;
    const mean = [r + groundColor.r, g + groundColor.g, b + groundColor.b].map((sum) => (sum / 2) * strength);
    const half = [r - groundColor.r, g - groundColor.g, b - groundColor.b].map((by) => (by / 2) * strength);
    const { elements } = light.matrixWorld;
    const [x, y, z] = [elements[12]!, elements[13]!, elements[14]!];
    addAmbient(lights, mean[0]!, mean[1]!, mean[2]!);
    push(lights, x, y, z, half[0]!, half[1]!, half[2]!);
    push(lights, -x, -y, -z, -half[0]!, -half[1]!, -half[2]!);
  } else {
    throw new RenderError(`A ${light.type} cannot be drawn.`, {
      code: 'UNSUPPORTED_SCENE',
      value: light.type,
      expected: 'AmbientLight, DirectionalLight or HemisphereLight',
      hint: 'set light.visible = false, or use a DirectionalLight instead',
    });
  }
}

function addAmbient({ ambient }: Lights, red: number, green: number, blue: number): void {
  ambient[0] += red;
  ambient[1] += green;
  ambient[2] += blue;
}

function push({ directions }: Lights, x: number, y: number, z: number, r: number, g: number, b: number): void {
  const length = Math.hypot(x, y, z);
  if (!(length > 0 && Number.isFinite(length))) {
    throw new RenderError('A light has no direction.', {
      code: 'UNSUPPORTED_SCENE',
      value: [x, y, z],
      expected: 'a light at a finite position other than its target',
      hint: 'set light.position; a DirectionalLight shines from light.position to light.target',
    });
  }
  directions.push(x / length, y / length, z / length, r, g, b);
  if (directions.length > DRAW.maxLights * 6) {
    throw new RenderError('The scene has too many lights.', {
      code: 'UNSUPPORTED_SCENE',
      value: directions.length / 6,
      expected: `at most ${DRAW.maxLights} directional lights; a HemisphereLight counts as two`,
      hint: 'merge lights, or hide some with light.visible = false',
    });
  }
}

export function noLights(): Lights {
  return { ambient: [0, 0, 0], directions: [] };
}
