# Toy Rush, in English. Keys are the same in every language.

toy_rush-name = Toy Rush
toy_rush-summary =
    Send your elves to the assembly line, make toys, and be the first to fill the children's orders!
    You each keep 2 of 3 secret objectives: a toy, what it looks like, and often a box around it.
    A round has three parts:
    1. In turn, put one or more of your elves on one space, until both of you have placed all of them. A space that holds elves takes no more. Only on Primeur may both of you add elves again and again.
    2. The spaces are resolved from left to right. More elves than the other on Primeur: you get the first-player token. As many as the other: it stays where it is. Nobody there: the player furthest to the left gets it.
    Objectives: per elf draw 2, keep 1. Box or elf: one of them. Elves: one new elf each.
    Colours and trains cost 1 elf each, patterns and teddies 2, horses 3. Elves left over are wasted, but they come home too.
    3. Both of you choose, at the same time and unseen, which objectives to complete. The objects they need go back to the piles.
    When somebody has 17 points after a round the game is over; also when no objective can be completed any more, or after 40 rounds. Most points win; in a tie, the holder of the token.

## Objects

toy_rush-object-pink = pink
toy_rush-object-blue = blue
toy_rush-object-yellow = yellow
toy_rush-object-dots = dots
toy_rush-object-stripes = stripes
toy_rush-object-train = train
toy_rush-object-teddy = teddy bear
toy_rush-object-horse = rocking horse
toy_rush-object-box = cardboard box
toy_rush-some = { $count } × { $object }

## Objectives

toy_rush-objective = { $child } ({ $needs }; { $points } points)

## Spaces

toy_rush-space-primeur = Primeur (space 1)
toy_rush-space-objectives = Objectives (space 2)
toy_rush-space-box-or-elf = Box or elf (space 3)
toy_rush-space-elves = Elves (space 4)
toy_rush-space-colours = Colours (space 5)
toy_rush-space-trains = Trains (space 6)
toy_rush-space-patterns = Patterns (space 7)
toy_rush-space-teddies = Teddy bears (space 8)
toy_rush-space-horses = Rocking horses (space 9)

## Steps

toy_rush-step-keep = Choose the objectives to keep
toy_rush-step-place = Place elves
toy_rush-step-resolve = Choose what a space gives
toy_rush-step-ship = Complete objectives
toy_rush-step-over = The game is over

## Moves

toy_rush-move-keep = Keep: { $objectives }
toy_rush-move-place = Put { $count ->
        [one] 1 elf
       *[other] { $count } elves
    } on { $space }
toy_rush-move-take = Take: { $objects }
toy_rush-move-take-elf = Take an elf from your reserve
toy_rush-move-ship = Complete: { $objectives }
toy_rush-move-ship-none = Complete nothing

## Refusals

toy_rush-refusal-over = The game is over.
toy_rush-refusal-no-such-seat = There is no such seat at this table.
toy_rush-refusal-chosen = You have chosen already. Wait for the other player.
toy_rush-refusal-not-your-turn = It is the other player's turn.
toy_rush-refusal-keep-due = First choose { $count ->
        [one] the objective
       *[other] the { $count } objectives
    } you want to keep.
toy_rush-refusal-place-due = Elves are being placed now. Put one or more of yours on one space.
toy_rush-refusal-take-due = First choose what your space gives you.
toy_rush-refusal-ship-due = Objectives are being completed now. Name those you complete, or none.
toy_rush-refusal-named-twice = You named this objective twice: { $objective }.
toy_rush-refusal-not-drawn = You have not drawn this objective: { $objective }.
toy_rush-refusal-not-in-hand = You do not hold this objective: { $objective }.
toy_rush-refusal-keep-count = You have to keep { $count ->
        [one] exactly 1 objective
       *[other] exactly { $count } objectives
    } now, not { $named }.
toy_rush-refusal-no-elves = Place at least one elf.
toy_rush-refusal-stock = You can't place { $count ->
        [one] 1 elf
       *[other] { $count } elves
    }: your stock holds { $stock }.
toy_rush-refusal-occupied = There are elves on { $space } already, so it takes no more in this round.
toy_rush-refusal-too-many-elves = { $count } elves are too many for { $space }: it takes { $most } at most.
toy_rush-refusal-not-given = This space does not give { $object }.
toy_rush-refusal-no-elf-here = This space does not give an elf.
toy_rush-refusal-pile = There are not enough cards with { $object } left: { $count }.
toy_rush-refusal-take-count = You have to take { $count ->
        [one] exactly 1 card
       *[other] exactly { $count } cards
    } here, not { $named }.
toy_rush-refusal-unpaid = That takes { $count } × { $object }, and you have { $held }. A card pays for one objective only.
toy_rush-refusal-target = A game is played to { $least } to { $most } points.
toy_rush-refusal-rounds = The maximum number of rounds is between { $least } and { $most }.
toy_rush-refusal-first-seat = The option firstSeat takes the number that the seat has in the API: from 0 to { $last }.

## How a game ends

toy_rush-reason-target = enough points
toy_rush-reason-dry = no objective can be completed any more
toy_rush-reason-rounds = the last round was played
toy_rush-reason-resigned = the other player gave up
