# Chips, in English. Keys are the same in every language; the names of cards include their points.

chips-name = Chips
chips-summary =
    Bet on what comes out of the bag!
    The bag holds 25 chips: 7 plain, 6 onion, 5 barbecue, 4 vinegar and 3 chicken.
    In each round you get 6 secret objectives, and everybody decides at the same time.
    1. Five chips are drawn. Throw away 2 objectives.
    2. Four more chips. Throw away 1 objective.
    3. Three more chips. Bet your last 3 objectives: 2 FOR (they will be met) and 1 AGAINST (it will not).
    4. All bets are shown, then the last 2 chips are drawn.
    An objective that is met gives you its points if you bet FOR it, and takes them away if you bet AGAINST it.
    The best score wins 2 tokens, the second best 1. Equal best scores win 2 each, and then nobody is second; equal seconds win 1 each.
    With two players only the best score wins 1 token; equal scores win 1 each.
    When somebody has 4 tokens (3 with two players) the game is over: the player with the most tokens wins. A tie? The better score of the last round wins; if that is equal too, everybody plays one more round.
    The jackpot wins the whole game if you bet FOR it and it is met, and loses you the round if you bet AGAINST it.

## Flavours

chips-flavour-plain = plain
chips-flavour-onion = onion
chips-flavour-barbecue = barbecue
chips-flavour-vinegar = vinegar
chips-flavour-chicken = chicken

## Objectives: $points is what the card is worth

chips-card-rainbow-1 = at least 1 of every flavour ({ $points } { $points ->
        [one] point
       *[other] points
    })
chips-card-rainbow-2 = at least 2 of every flavour ({ $points } points)
chips-card-combo-3n-3o = at least 3 plain and 3 onion ({ $points } points)
chips-card-combo-3o-2b = at least 3 onion and 2 barbecue ({ $points } points)
chips-card-combo-2b-2v = at least 2 barbecue and 2 vinegar ({ $points } points)
chips-card-combo-3p = all 3 chicken ({ $points } points)
chips-card-combo-4v = all 4 vinegar ({ $points } points)
chips-card-combo-5b = all 5 barbecue ({ $points } points)
chips-card-combo-6o = all 6 onion ({ $points } points)
chips-card-combo-7n = all 7 plain ({ $points } points)
chips-card-equal-o-n = as many onion as plain ({ $points } points)
chips-card-equal-b-o = as many barbecue as onion ({ $points } points)
chips-card-equal-v-b = as many vinegar as barbecue ({ $points } points)
chips-card-equal-p-v = as many chicken as vinegar ({ $points } points)
chips-card-equal-v-o = as many vinegar as onion ({ $points } points)
chips-card-equal-v-n = as many vinegar as plain ({ $points } points)
chips-card-equal-p-o = as many chicken as onion ({ $points } points)
chips-card-last-n = the last chip is plain ({ $points } points)
chips-card-last-o = the last chip is onion ({ $points } points)
chips-card-last-b = the last chip is barbecue ({ $points } points)
chips-card-last-v = the last chip is vinegar ({ $points } points)
chips-card-last-p = the last chip is chicken ({ $points } points)
chips-card-none-p = no chicken at all ({ $points } points)
chips-card-none-v = no vinegar at all ({ $points } points)
chips-card-each-n = { $points } points for each plain
chips-card-each-o = { $points } points for each onion
chips-card-each-b = { $points } points for each barbecue
chips-card-each-v = { $points } points for each vinegar
chips-card-each-p = { $points } points for each chicken
chips-card-more-o-n = more onion than plain ({ $points } points)
chips-card-more-b-o = more barbecue than onion ({ $points } points)
chips-card-more-v-b = more vinegar than barbecue ({ $points } points)
chips-card-more-p-v = more chicken than vinegar ({ $points } points)
chips-card-more-b-n = more barbecue than plain ({ $points } points)
chips-card-more-p-b = more chicken than barbecue ({ $points } points)
chips-card-jackpot-p-n = jackpot: more chicken than plain

## Steps of a round

chips-step-discard-two = Throw away 2 objectives
chips-step-discard-one = Throw away 1 objective
chips-step-bet = Bet 2 objectives for and 1 against
chips-step-scored = The last round has been scored

## Moves

chips-move-discard = Throw away: { $cards }
chips-move-bet = Bet for: { $for }; against: { $against }

## Refusals

chips-refusal-over = The game is over.
chips-refusal-no-such-seat = There is no such seat at this table.
chips-refusal-resigned = You have given up and only watch now.
chips-refusal-chosen = You have chosen already. Wait until everybody has.
chips-refusal-not-in-hand = This objective is not in your hand: { $card }.
chips-refusal-named-twice = You named this objective twice: { $card }.
chips-refusal-discard-count = You have to throw away { $due ->
        [one] exactly 1 objective
       *[other] exactly { $due } objectives
    } now, not { $named }.
chips-refusal-bet-count = You have to bet exactly { $due } objectives FOR and 1 AGAINST, not { $named } FOR.
chips-refusal-discard-due = It is too early to bet. First throw away { $due ->
        [one] 1 objective
       *[other] { $due } objectives
    }.
chips-refusal-bet-due = There is nothing to throw away now. Bet 2 objectives FOR and 1 AGAINST.
chips-refusal-target = A game is played to { $least } to { $most } tokens.
chips-refusal-dealer = The option firstDealer takes the number that the seat has in the API: from 0 to { $last }.

## How a game ends

chips-reason-tokens = enough tokens
chips-reason-jackpot = the jackpot
chips-reason-resigned = everybody else gave up
