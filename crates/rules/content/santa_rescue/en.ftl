# À la rescousse du Père Noël, in English. Keys are the same in every language.

santa_rescue-name = À la rescousse du Père Noël
santa_rescue-summary =
    Monsters have caught Father Christmas! Four elves set out to free him, one puzzle a day from 1 to 24 December.
    You all play together, and everybody holds one elf or more.
    1. A day starts with a row of symbols. At the end it must look exactly like the required row.
    2. Each elf is played once a day, in any order. Choose one of its powers: it rewrites the row.
    3. A power that changes nothing can't be played, and a played power can't be taken back.
    4. After the fourth elf, compare: the same row means the monster is beaten, and you win its boots.
    5. Stuck, or fed up? If everybody wishes to give up, the day is lost, and the next one comes.
    On some days an elf learns a second power, whether you win or not.
    Boots lead along the path to Father Christmas. Reach stage 8, and you are the heroes of Christmas!

## Symbols

santa_rescue-symbol-white-bell = white bell
santa_rescue-symbol-black-bell = black bell
santa_rescue-symbol-white-heart = white heart
santa_rescue-symbol-black-heart = black heart
santa_rescue-symbol-white-star = white star
santa_rescue-symbol-black-star = black star
santa_rescue-symbol-white-moon = white moon
santa_rescue-symbol-black-moon = black moon
santa_rescue-symbol-white-cloud = white cloud
santa_rescue-symbol-black-cloud = black cloud
santa_rescue-symbol-white-gift = white gift
santa_rescue-symbol-black-gift = black gift

## The same inside sentences: one, several, all of them

santa_rescue-one-bell = a bell
santa_rescue-one-heart = a heart
santa_rescue-one-star = a star
santa_rescue-one-moon = a moon
santa_rescue-one-cloud = a cloud
santa_rescue-one-gift = a gift
santa_rescue-many-bell = bells
santa_rescue-many-heart = hearts
santa_rescue-many-star = stars
santa_rescue-many-moon = moons
santa_rescue-many-cloud = clouds
santa_rescue-many-gift = gifts
santa_rescue-all-bell = all bells
santa_rescue-all-heart = all hearts
santa_rescue-all-star = all stars
santa_rescue-all-moon = all moons
santa_rescue-all-cloud = all clouds
santa_rescue-all-gift = all gifts
santa_rescue-all-white = all white symbols
santa_rescue-all-black = all black symbols
santa_rescue-all-white-bell = all white bells
santa_rescue-all-black-bell = all black bells
santa_rescue-all-white-heart = all white hearts
santa_rescue-all-black-heart = all black hearts
santa_rescue-all-white-star = all white stars
santa_rescue-all-black-star = all black stars
santa_rescue-all-white-moon = all white moons
santa_rescue-all-black-moon = all black moons
santa_rescue-all-white-cloud = all white clouds
santa_rescue-all-black-cloud = all black clouds
santa_rescue-all-white-gift = all white gifts
santa_rescue-all-black-gift = all black gifts

## Powers

santa_rescue-power-change = { $from } becomes { $to }
santa_rescue-power-change-all = { $which } become { $to }
santa_rescue-power-copy = copy { $shape } onto a neighbour of the same colour
santa_rescue-power-swap-any = swap two neighbours
santa_rescue-power-swap-shape = swap two neighbours of the same shape
santa_rescue-power-swap-colour = swap two neighbours of the same colour
santa_rescue-power-swap-ends-any = swap the two ends
santa_rescue-power-swap-ends-shape = swap the two ends if they have the same shape
santa_rescue-power-swap-ends-colour = swap the two ends if they have the same colour
santa_rescue-power-turn-white = { $which } turn black
santa_rescue-power-turn-black = { $which } turn white
santa_rescue-power-invert-all = { $which } change colour
santa_rescue-power-invert = one symbol changes colour

## Moves: places are counted from 1

santa_rescue-move-play = Elf { $elf }: { $power }
santa_rescue-move-play-at = Elf { $elf }: { $power }, at place { $place }
santa_rescue-move-wish = Wish to give the day up
santa_rescue-move-withdraw = No longer wish to give the day up
santa_rescue-move-open = Open the day's sheet

## Monsters

santa_rescue-monster-sock-goblin = Sock Goblin
santa_rescue-monster-snoring-ogre = Snoring Ogre
santa_rescue-monster-tinsel-spider = Tinsel Spider
santa_rescue-monster-slush-slug = Slush Slug
santa_rescue-monster-crumb-kraken = Crumb Kraken
santa_rescue-monster-grumpy-yeti = Grumpy Yeti
santa_rescue-monster-mitten-mummy = Mitten Mummy
santa_rescue-monster-icicle-imp = Icicle Imp
santa_rescue-monster-chimney-bat = Chimney Bat
santa_rescue-monster-pudding-blob = Pudding Blob
santa_rescue-monster-snowball-troll = Snowball Troll
santa_rescue-monster-wrapping-python = Wrapping Python
santa_rescue-monster-off-key-banshee = Off-key Banshee
santa_rescue-monster-clock-gremlin = Clock Gremlin
santa_rescue-monster-frosty-dragon = Frosty Dragon
santa_rescue-monster-liquorice-witch = Liquorice Witch
santa_rescue-monster-shadow-reindeer = Shadow Reindeer
santa_rescue-monster-mirror-ghost = Mirror Ghost
santa_rescue-monster-nutcracker-giant = Nutcracker Giant
santa_rescue-monster-blizzard-wolf = Blizzard Wolf
santa_rescue-monster-two-headed-turkey = Two-headed Turkey
santa_rescue-monster-gloom-wizard = Gloom Wizard
santa_rescue-monster-lair-keeper = Keeper of the Lair
santa_rescue-monster-monster-queen = Monster Queen

## Descriptions of the monsters

santa_rescue-about-sock-goblin = He only eats left socks. That is why yours are always missing.
santa_rescue-about-snoring-ogre = He sleeps right across the path, and every snore blows out a candle.
santa_rescue-about-tinsel-spider = Her web glitters so brightly that you forget to run away.
santa_rescue-about-slush-slug = Wherever it goes, the snow turns into cold brown soup.
santa_rescue-about-crumb-kraken = Eight arms, eight biscuits, and crumbs all over the sledge.
santa_rescue-about-grumpy-yeti = Nobody ever laughs at his jokes. He has only one.
santa_rescue-about-mitten-mummy = Wrapped in wool from head to toe. One thread sticks out…
santa_rescue-about-icicle-imp = He tickles the back of your neck with ice-cold fingers.
santa_rescue-about-chimney-bat = She hangs in the chimney and lets nobody down it.
santa_rescue-about-pudding-blob = It wobbles, it burps, and it wants seconds.
santa_rescue-about-snowball-troll = He never misses. Except when he sneezes.
santa_rescue-about-wrapping-python = It wraps up everything it meets, with a bow on top.
santa_rescue-about-off-key-banshee = She knows every carol, and not one of the notes.
santa_rescue-about-clock-gremlin = He puts every clock back, so that Christmas never comes.
santa_rescue-about-frosty-dragon = He tried to breathe fire once, and caught a cold.
santa_rescue-about-liquorice-witch = Her broom is made of sweets, and so are her spells.
santa_rescue-about-shadow-reindeer = He copies every step you take, only backwards.
santa_rescue-about-mirror-ghost = Look at it: left is right, white is black.
santa_rescue-about-nutcracker-giant = Crack! That was a nut. The next one may be your hat.
santa_rescue-about-blizzard-wolf = When he howls, it snows sideways.
santa_rescue-about-two-headed-turkey = One head says yes, the other says no, and both peck.
santa_rescue-about-gloom-wizard = He paints the whole world grey. Even the rainbow.
santa_rescue-about-lair-keeper = She has a hundred keys and trusts nobody with one.
santa_rescue-about-monster-queen = She keeps Father Christmas for herself: she never got a present.

## How a day ends

santa_rescue-result-won = the monster is beaten
santa_rescue-result-missed = not the required row
santa_rescue-result-stuck = no power can be played any more
santa_rescue-result-given-up = you gave the day up

## The eight stages of the path

santa_rescue-stage-1 = country hikers
santa_rescue-stage-2 = band of daredevils
santa_rescue-stage-3 = lucky group
santa_rescue-stage-4 = budding adventurers
santa_rescue-stage-5 = efficient troupe
santa_rescue-stage-6 = fearless squad
santa_rescue-stage-7 = crack team
santa_rescue-stage-8 = the heroes of Christmas

## Refusals

santa_rescue-refusal-over = The campaign is over.
santa_rescue-refusal-no-such-seat = There is no such seat at this table.
santa_rescue-refusal-resigned = You have left the team and only watch now.
santa_rescue-refusal-closed = Day { $day } is not open yet: it opens at { $when }.
santa_rescue-refusal-between = No day is open. Open the next one first.
santa_rescue-refusal-open = The day's sheet is open already.
santa_rescue-refusal-wished = You wish to give up already. The others have to wish it too.
santa_rescue-refusal-not-wished = You do not wish to give up, so there is no wish to take back.
santa_rescue-refusal-not-held = Elf { $elf } is held by somebody else.
santa_rescue-refusal-spent = Elf { $elf } was played today already. It can play again tomorrow.
santa_rescue-refusal-locked = Elf { $elf } has not learnt its second power yet.
santa_rescue-refusal-aimless = “{ $power }” needs a place: say where.
santa_rescue-refusal-aimed = “{ $power }” is not aimed at a place: leave it out.
santa_rescue-refusal-outside = “{ $power }” can't be aimed there: the row has no such place.
santa_rescue-refusal-other-shape = “{ $power }” can't be played there: the symbol has another shape.
santa_rescue-refusal-no-source = “{ $power }” can't be played there: no neighbour to copy has the same colour.
santa_rescue-refusal-not-alike = “{ $power }” can't be played there: the two symbols are not alike.
santa_rescue-refusal-no-effect = “{ $power }” would change nothing, so it can't be played.
santa_rescue-refusal-no-such-draft = There are { $columns } draft columns, numbered from 1.
santa_rescue-refusal-draft = A draft has at most { $most } rows, and today each has { $length } symbols.
santa_rescue-refusal-name = An elf's name has from 1 to { $most } letters or signs, and no odd ones.
santa_rescue-refusal-no-hints = At this table there are no hints. Agree on them before the next campaign.
santa_rescue-refusal-hinted = The last hint still stands: nobody has played a power since.
santa_rescue-refusal-chosen = Somebody else has chosen elf { $elf }.
santa_rescue-refusal-too-many-elves = That would leave somebody without an elf. Choose fewer.
santa_rescue-refusal-days = Days go from 1 to { $last }.
santa_rescue-refusal-days-order = The first day must not come after the last one, and days go up to { $last }.
santa_rescue-refusal-campaign-seed = The number of a campaign lies between 0 and { $most }.
santa_rescue-refusal-year = The year must lie between 1900 and 2200; days go from 1 to { $last } December.
santa_rescue-refusal-calendar = This calendar can't be worked out. Choose another year or time zone.

## How a campaign ends

santa_rescue-reason-campaign-over = the last day is over
