/**
 * Every public function, constructor and method that takes a bag of options looks at their names, or is listed here with
 * the place that does, or the reason why nobody has to. `misspelled-options.test.ts` calls them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { publicPackages, ROOT } from './support/workspaces.js';

/** Calls that look at the names. */
const CHECKS = /\b(?:checkNames|parseOptions|parseReset|checkedOptions)\(/;

/** Functions that may leave the look to others. */
const BY_KIND: readonly (readonly [kind: RegExp, why: string])[] = [
  [/Error\.constructor$/, 'errors are made by the packages themselves'],
  [/^[A-Z]\w*\.reset$/, 'environments and wrappers hand the options on to `parseReset` of the innermost one'],
  [
    /^(?:createAlfworld|createMiniGrid|createMiniWorld|createMiniWorldVector)$/,
    'the constructors of the environments look',
  ],
  [/^(?:earlyEnd|history|illegalAction|normalize\w+|record\w+|stickyAction|transformAction)$/, 'the wrapper looks'],
  [/^(?:WorkerVectorEnv|EpisodeRecorder|TrajectoryReader)\./, 'the function that makes it looks'],
  [/\.(?:collectSteps|collectEpisodes|accumulate|drawInto)$/, 'called by the loops of training, with fixed names'],
];

const CONFIG = 'takes a part of the configuration of an algorithm, whose schema looks';
const BLOCK = 'a building block, called by code with types';

/** Without a look in their own text: who looks. */
const ELSEWHERE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '@vlgym/agents': {
    'Episode.constructor': BLOCK,
    'Episode.fail': BLOCK,
    evaluationEvents: '`evaluate` looks',
    cassette: '`openTape` looks',
    cassetteFetch: '`openTape` looks',
    cassetteMiddleware: '`openTape` looks',
    cassetteTools: '`openTape` looks',
    evaluate: 'the run that it opens looks',
    modelAgent: 'the agent that it makes looks',
    plannedPower: 'its check of the values looks',
    minimumDetectableEffect: 'its check of the values looks',
    spreadComparison: '`blockComparison` looks',
  },
  '@vlgym/alfworld': {
    'AlfredTextEnv.constructor': 'the schema of the environment looks',
    'AlfworldEnv.constructor': 'the schema of the environment looks',
    'AlfredPythonEnv.constructor': 'the schema of the environment looks',
    'AlfredThorEnv.constructor': 'the schema of the environment looks',
    'Game.constructor': BLOCK,
    householdDialogue: BLOCK,
    compileGame: BLOCK,
    loadGame: BLOCK,
  },
  '@vlgym/baselines': { biLevelGae: CONFIG, turnWiseGae: CONFIG },
  '@vlgym/core': {
    'BaseEnv.constructor': BLOCK,
    'Wrapper.constructor': BLOCK,
    'ObservationWrapper.constructor': BLOCK,
    rl4vlmCardAction: BLOCK,
    rl4vlmCommand: BLOCK,
    'JsonLineAppender.append': BLOCK,
    readJsonLines: BLOCK,
    'Listener.constructor': BLOCK,
    resizeImage: 'takes the size of another picture, which has further fields',
    json: BLOCK,
    'OriginalProcess.ask': BLOCK,
    'OriginalPython.constructor': BLOCK,
    make: '`checkMakeOptions` looks',
    makeFromSpec: '`checkMakeOptions` looks',
    makeVec: 'splits the options, and both parts are looked at',
  },
  '@vlgym/gpu': {
    'GradientBuckets.constructor': BLOCK,
    'Parameter.moveTo': BLOCK,
  },
  '@vlgym/gtr-turbo': {
    mergeFactors: BLOCK,
    tiesMerge: CONFIG,
    mergeIntoTeacher: CONFIG,
  },
  '@vlgym/gymnasium': {
    'GymnasiumEnv.create': 'other names are arguments of the environment in Python, which looks',
  },
  '@vlgym/miniworld': {
    'Simulation.constructor': 'the schema of the environment looks',
    'MeshEntity.constructor': BLOCK,
    'ImageFrame.constructor': BLOCK,
    'TextFrame.constructor': BLOCK,
    'Room.constructor': BLOCK,
    'Room.addPortal': BLOCK,
    'World.addRoom': BLOCK,
    'World.connectRooms': BLOCK,
  },
  '@vlgym/models': {
    'VlmPolicy.alternatives': '`alternativesOf` looks',
    'DataParallelPolicy.generate': 'the methods of `VlmPolicy` look',
    'DataParallelPolicy.sample': 'the methods of `VlmPolicy` look',
    'DataParallelPolicy.score': 'the methods of `VlmPolicy` look',
    'DataParallelPolicy.constructor': '`createPolicy` and `loadPolicy` look',
    'VlmPolicy.constructor': '`createPolicy` and `loadPolicy` look',
    'LoraAdapter.constructor': '`createPolicy` and `loadPolicy` look',
    adapterSize: '`createPolicy` and `loadPolicy` look',
    'Projection.constructor': BLOCK,
    'VlmPolicy.load': BLOCK,
    'VlmPolicy.generate': CONFIG,
    'VlmPolicy.sample': CONFIG,
    'VlmPolicy.score': CONFIG,
  },
  '@vlgym/points24': {
    'BlackjackV1Env.constructor': 'the schema of the environment looks',
    'PointsEnv.constructor': 'the schema of the environment looks',
    'SignsV2Env.constructor': 'the schema of the environment looks',
  },
  '@vlgym/queue': {
    episodeFromBytes: BLOCK,
    'RemoteSampler.sample': BLOCK,
    'BatchingSampler.sample': BLOCK,
    readTaken: BLOCK,
    'Orchestrator.retake': BLOCK,
  },
  '@vlgym/render': {
    createSoftRenderer: '`softRendererOn` looks',
  },
  '@vlgym/rl': {
    shiftedAdvantages: BLOCK,
    aggregationWeights: BLOCK,
    stepKl: BLOCK,
    spanWeights: BLOCK,
    rescore: BLOCK,
    'LossBatch.spanWeights': BLOCK,
    reduceLoss: BLOCK,
    refuseHooks: BLOCK,
    stepGae: CONFIG,
    storageGae: CONFIG,
    normalize: CONFIG,
    groupAdvantage: CONFIG,
    importanceWeights: CONFIG,
    gigpo: CONFIG,
    cosine: CONFIG,
    warmupCosine: CONFIG,
    supervise: CONFIG,
    resolveOptions: 'the schema of the algorithm looks',
  },
  '@vlgym/serve': {
    'McpEpisodes.constructor': '`SessionTable` looks',
    'McpEpisodes.start': BLOCK,
    'SessionTable.open': BLOCK,
  },
  '@vlgym/site': {
    'SiteActionSpace.sample': '`TextSpace.sample` looks',
    leaseChromium: '`leaseBrowser` looks',
    'BrowserPage.open': BLOCK,
    pageObservationSpace: 'the schema of the environment looks',
    observePage: 'the schema of the environment looks',
    'RetainedPage.constructor': BLOCK,
  },
  '@vlgym/webshop': {
    'ProductGenerator.constructor': BLOCK,
    'Shop.constructor': BLOCK,
    'Visitor.constructor': BLOCK,
  },
  vlgym: {
    benchmark: 'the settings of the command look',
  },
};

type Found = readonly [name: string, checked: boolean];

function publicNames(name: string): Set<string> {
  const api = readFileSync(join(ROOT, 'docs/api', `${name.replace(/^@.*\//, '')}.txt`), 'utf8');
  return new Set([...api.matchAll(/^ {2}(\w+): (?:function|class|const)/gm)].map(([, each]) => each!));
}

/** A type of options, by its name or its members that may be missing. */
function isBag(type: ts.TypeNode | undefined): boolean {
  if (!type) return false;
  if (ts.isTypeReferenceNode(type)) return /Options$/.test(type.typeName.getText());
  if (ts.isTypeLiteralNode(type)) return type.members.some((member) => member.questionToken !== undefined);
  return (ts.isIntersectionTypeNode(type) || ts.isUnionTypeNode(type)) && type.types.some(isBag);
}

const HIDDEN = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

function functionsOf(statement: ts.Statement): [name: string, node: ts.SignatureDeclaration][] {
  if (ts.isFunctionDeclaration(statement) && statement.name && statement.body)
    return [[statement.name.text, statement]];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer && ts.isArrowFunction(initializer) ? [[name.getText(), initializer] as const] : [],
    ) as [string, ts.SignatureDeclaration][];
  }
  if (!ts.isClassDeclaration(statement) || !statement.name) return [];
  const { text } = statement.name;
  return statement.members.flatMap((member): [string, ts.SignatureDeclaration][] => {
    if (!(ts.isConstructorDeclaration(member) || ts.isMethodDeclaration(member)) || !member.body) return [];
    if (ts.getCombinedModifierFlags(member) & HIDDEN || (member.name && ts.isPrivateIdentifier(member.name))) return [];
    return [[`${text}.${member.name?.getText() ?? 'constructor'}`, member]];
  });
}

function found(folder: string, exported: ReadonlySet<string>): Found[] {
  const files = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(?:test|d)\.ts$/.test(file))
    .map((file) => join(folder, 'src', file));
  return files.flatMap((file) =>
    ts
      .createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
      .statements.flatMap(functionsOf)
      .filter(([name]) => exported.has(name.replace(/\..*/, '')))
      .filter(([, node]) => node.parameters.some(({ type }) => isBag(type)))
      .map(([name, node]): Found => [name, CHECKS.test(node.getText())]),
  );
}

const packages = publicPackages.filter(({ manifest }) => manifest.exports !== undefined);

it.each(packages.map(({ name, folder }) => ({ name, folder })))('$name', ({ name, folder }) => {
  const all = found(folder, publicNames(name));
  const known = ELSEWHERE[name] ?? {};
  const open = all.filter(([each, checked]) => !checked && !BY_KIND.some(([kind]) => kind.test(each)));
  expect(open.map(([each]) => each).filter((each) => !(each in known))).toEqual([]);
  // a list of what is checked meanwhile says nothing
  expect(Object.keys(known).filter((each) => !open.some(([other]) => other === each))).toEqual([]);
});
