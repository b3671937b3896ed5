"""Statistics of ALFWorld's rooms as the table of the generator: python3 derive-tables.py DATA/tables > src/generator/tables.generated.ts

Counts over the solvable training games of ALFWorld 2.1.1 (MIT): which receptacles and objects a room has, where things
lie, which pairs a task asks for. No game is copied. Rare places (below 1 % of an object's) are left out.
"""
import json, sys, os

folder = sys.argv[1]
load = lambda name: json.load(open(os.path.join(folder, name)))
contain, rooms, tasks, properties = load('can-contain.json'), load('rooms.json'), load('tasks.json'), load('object-properties.json')

def counts(table):
    return {name: [row['presence'], row['min'], row['mean'], row['max']] for name, row in sorted(table.items())}

def places(room):
    by_object = {}
    for receptacle, objects in room['placement_counts'].items():
        for name, count in objects.items():
            if name in properties['pickupable'] and name in contain.get(receptacle, []):
                by_object.setdefault(name, {})[receptacle] = count
    for name, table in by_object.items():
        total = sum(table.values())
        by_object[name] = {receptacle: count for receptacle, count in sorted(table.items()) if count >= total / 100}
    return dict(sorted(by_object.items()))

# What lies in or on receptacles at the start, as counted, for classes that a household shows. Others overlap a receptacle
# by geometry only: a window above a counter, the sink in its basin.
SCENERY = ['DeskLamp', 'HousePlant', 'Television']

def placed(room):
    by_object = {}
    for receptacle, objects in room['placement_counts'].items():
        for name, count in objects.items():
            if name in properties['pickupable'] + SCENERY and receptacle in room['receptacles']:
                by_object.setdefault(name, {})[receptacle] = count
    for name, table in by_object.items():
        total = sum(table.values())
        by_object[name] = {receptacle: count for receptacle, count in sorted(table.items()) if count >= total / 100}
    return {'games': room['games'], 'objects': dict(sorted(by_object.items()))}

table_rooms = {name: {'receptacles': counts(room['receptacles']), 'objects': counts(room['objects']), 'places': places(room)}
               for name, room in sorted(rooms.items())}
table_tasks = {}
for name, task in sorted(tasks.items()):
    targets = {}
    for thing, place, count in task['targets']:
        targets.setdefault(thing, {})[place] = count
    table_tasks[name] = {'rooms': task['rooms'], 'targets': dict(sorted(targets.items()))}

def emit(name, kind, value, comment):
    print(f'\n/** {comment} */\nexport const {name}: {kind} = {json.dumps(value, separators=(",", ":"), sort_keys=False)};')

print('/** Statistics of ALFWorld\'s rooms (MIT), written by scripts/derive-tables.py. */')
emit('CAN_CONTAIN', 'Readonly<Record<string, readonly string[]>>', {k: sorted(v) for k, v in sorted(contain.items())}, 'Receptacle class -> object classes that it accepts.')
emit('PROPERTIES', 'Readonly<Record<string, readonly string[]>>', properties, 'Property -> classes that have it.')
emit('ROOMS', 'Readonly<Record<string, { readonly receptacles: Counts; readonly objects: Counts; readonly places: Readonly<Record<string, Readonly<Record<string, number>>>> }>>', table_rooms, 'What a room has, and how often an object lies where.')
emit('TASKS', 'Readonly<Record<string, { readonly rooms: Readonly<Record<string, number>>; readonly targets: Readonly<Record<string, Readonly<Record<string, number>>>> }>>', table_tasks, 'Where a kind of task is set, and how often it asks for which object and receptacle (or lamp).')
emit('PLACED', 'Readonly<Record<string, { readonly games: number; readonly objects: Readonly<Record<string, Readonly<Record<string, number>>>> }>>', {name: placed(room) for name, room in sorted(rooms.items())}, 'Training games in a room, and in how many cases an object lay where in them at the start, scenery included.')
print('\n/** Class -> share of rooms that have it, and its least, mean and greatest number where it is there. */\nexport type Counts = Readonly<Record<string, readonly [presence: number, least: number, mean: number, most: number]>>;')
