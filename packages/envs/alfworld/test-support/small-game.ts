/** A game of a few lines for tests of rules: two rooms of boxes, one object, one goal. */
import type { GameTexts } from '../src/games/index.js';

const SMALL_DOMAIN = `(define (domain small)
 (:types agent location receptacle object)
 (:predicates (atLocation ?a - agent ?l - location) (receptacleAtLocation ?r - receptacle ?l - location)
   (inReceptacle ?o - object ?r - receptacle) (holds ?a - agent ?o - object) (holdsAny ?a - agent) (seen ?o - object) (looked ?a - agent))
 (:action GotoLocation :parameters (?a - agent ?from - location ?to - location ?r - receptacle)
   :precondition (and (atLocation ?a ?from) (receptacleAtLocation ?r ?to))
   :effect (and (not (atLocation ?a ?from)) (atLocation ?a ?to) (increase (total-cost) 1)))
 (:action Take :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
   :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (inReceptacle ?o ?r) (not (holdsAny ?a)))
   :effect (and (not (inReceptacle ?o ?r)) (holds ?a ?o) (holdsAny ?a)))
 (:action Drop :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
   :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o))
   :effect (and (inReceptacle ?o ?r) (not (holds ?a ?o)) (not (holdsAny ?a))))
 (:action Look :parameters (?a - agent ?l - location) :precondition (atLocation ?a ?l) :effect (looked ?a))
 ; a comma makes a type that nothing has
 (:action Inspect :parameters (?a - agent ?o - object)
   :precondition (or (exists (?l - location, ?r - receptacle) (and (atLocation ?a ?l) (inReceptacle ?o ?r))) (holds ?a ?o))
   :effect (seen ?o))
)`;

export const SMALL_PROBLEM = `(define (problem p) (:domain small)
 (:objects me - agent loc_bar_1 loc_bar_2 loc_bar_3 - location
   Box_bar_a - receptacle Box_bar_b - receptacle Box_bar_c - receptacle Ball_bar_x - object Ball_bar_y - object)
 (:init (= (total-cost) 0) (atLocation me loc_bar_3)
   (receptacleAtLocation Box_bar_a loc_bar_1) (receptacleAtLocation Box_bar_b loc_bar_2) (receptacleAtLocation Box_bar_c loc_bar_2)
   (inReceptacle Ball_bar_x Box_bar_a) (inReceptacle Ball_bar_y Box_bar_a))
 (:goal (exists (?o - object) (inReceptacle ?o Box_bar_b))))`;

const RULES = {
  intro: [{ rhs: '\n\n  Boxes: [{r.name | receptacleatlocation(r:receptacle, l:location)}].\n#task#' }],
  task: [{ rhs: 'Your task is to: fill a box.' }],
  look: [
    { condition: 'receptacleatlocation(r:receptacle, l:location)', rhs: 'Here: #here#. Gone: #gone#.' },
    { rhs: 'Nowhere.' },
  ],
  here: [{ rhs: "[{r.indefinite + ' ' + r.name | receptacleatlocation(r:receptacle, l:location)}]" }],
  gone: [
    {
      rhs: '[{o.name | receptacleatlocation(r:receptacle, l:location) & not_inreceptacle(o:object, r:receptacle)}]',
    },
  ],
  list_empty: [{ rhs: 'nothing' }],
  list_separator: [{ rhs: ', ' }],
  list_last_separator: [{ rhs: ', and ' }],
};

export const SMALL_GRAMMAR = `grammar :: """ ${JSON.stringify(RULES)} """;
# a comment
action GotoLocation { template :: "go to {r}"; feedback :: "You are at {to}."; }
action Take { template :: "take {o} from {r}"; feedback :: "You take the {o.name}."; }
action Drop { template :: "put {o} in {r}"; feedback :: "You put the {o.name} down; the rest is dropped"; }
action Look { template :: "look"; feedback :: "#look#"; }
action Inspect { template :: "inspect {o}"; feedback :: "It is a \\"ball\\" {o.id or o.name}"; }
action Fly { template :: "fly"; feedback :: "#nowhere#"; }
`.replace('\\"ball\\"', 'ball');

export const SMALL: GameTexts = { domain: SMALL_DOMAIN, problem: SMALL_PROBLEM, grammar: SMALL_GRAMMAR };
