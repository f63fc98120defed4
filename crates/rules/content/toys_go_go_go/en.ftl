# Jouets à GO GO GO, in English. Keys are the same in every language.

toys_go_go_go-name = Jouets à GO GO GO
toys_go_go_go-summary =
    Build the best toy shop, tile by tile!
    Your shop starts with a cash register and grows to a square of 4 by 4.
    1. On your turn, take one of the 4 open tiles and lay it, without turning it, next to a piece of your shop.
    2. If a colour of the tile touches the same colour next to it, you get 1 coin for each toy in that whole zone.
    The register has all four colours: it connects zones, but it holds no toy.
    3. Be the first with all five toys of a type in your shop and you take its Collection.
    4. A new tile is opened, and the next player goes on.
    When all shops are full, the player with the most of one single toy wins the Showcase of its type. Tied? You all win it.
    Every Collection and every Showcase is worth 5 coins at the end. 10 coins make a banknote.
    The player with the most banknotes wins, then the one with the most coins left over.

## Types of toys: one colour each

toys_go_go_go-type-plush = plush toys
toys_go_go_go-type-dolls = dolls
toys_go_go_go-type-vehicles = vehicles
toys_go_go_go-type-sports = sports

## Toys

toys_go_go_go-toy-bear = bear
toys_go_go_go-toy-unicorn = unicorn
toys_go_go_go-toy-cat = cat
toys_go_go_go-toy-rabbit = rabbit
toys_go_go_go-toy-dog = dog
toys_go_go_go-toy-princess = princess
toys_go_go_go-toy-nurse = nurse
toys_go_go_go-toy-ballerina = ballerina
toys_go_go_go-toy-robot = robot
toys_go_go_go-toy-mermaid = mermaid
toys_go_go_go-toy-train = train
toys_go_go_go-toy-car = car
toys_go_go_go-toy-crane = crane
toys_go_go_go-toy-fire-engine = fire engine
toys_go_go_go-toy-rocket = rocket
toys_go_go_go-toy-ball = ball
toys_go_go_go-toy-roller-skates = roller skates
toys_go_go_go-toy-rackets = rackets
toys_go_go_go-toy-tricycle = tricycle
toys_go_go_go-toy-flamingo-ring = flamingo ring

## Moves: $ways says how to get there from the register

toys_go_go_go-move-lay = Lay tile { $tile } ({ $toys }), from the register: { $ways }
toys_go_go_go-way-up = { $steps } up
toys_go_go_go-way-down = { $steps } down
toys_go_go_go-way-left = { $steps } left
toys_go_go_go-way-right = { $steps } right

## Refusals

toys_go_go_go-refusal-over = The game is over.
toys_go_go_go-refusal-no-such-seat = There is no such seat at this table.
toys_go_go_go-refusal-resigned = You have given up and only watch now.
toys_go_go_go-refusal-turn = It is not your turn.
toys_go_go_go-refusal-not-open = Tile { $tile } is not one of the open tiles.
toys_go_go_go-refusal-outside = Your shop would no longer fit into a square of { $size } by { $size }.
toys_go_go_go-refusal-taken = There is a piece of your shop there already.
toys_go_go_go-refusal-apart = A tile has to lie side by side with a piece of your shop; corner to corner is not enough.
toys_go_go_go-refusal-shop-size = A shop has { $least } or { $most } tiles along each side.
toys_go_go_go-refusal-first-seat = The option firstSeat takes the number that the seat has in the API: from 0 to { $last }.

## How a game ends

toys_go_go_go-reason-full = all shops are full
toys_go_go_go-reason-resigned = everybody else gave up
