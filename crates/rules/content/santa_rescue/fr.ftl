# À la rescousse du Père Noël, en français. Les clés sont les mêmes dans toutes les langues.

santa_rescue-name = À la rescousse du Père Noël
santa_rescue-summary =
    Des monstres ont capturé le Père Noël ! Quatre lutins partent le délivrer : un casse-tête par jour, du 1er au 24 décembre.
    Vous jouez tous ensemble, et chacun tient au moins un lutin.
    1. Une journée commence avec une rangée de symboles. À la fin, elle doit être exactement comme la rangée demandée.
    2. Chaque lutin joue une fois par jour, dans l’ordre que vous voulez. Choisis un de ses pouvoirs : il change la rangée.
    3. Un pouvoir qui ne change rien ne peut pas être joué, et un pouvoir joué ne se reprend pas.
    4. Après le quatrième lutin, on compare : si la rangée est la bonne, le monstre est battu et vous gagnez ses bottes.
    5. Coincés ? Si tout le monde veut abandonner, la journée est perdue et on passe à la suivante.
    Certains jours, un lutin apprend un deuxième pouvoir, que vous ayez gagné ou non.
    Les bottes vous font avancer vers le Père Noël. À l’étape 8, vous êtes les héros de Noël !

## Symboles

santa_rescue-symbol-white-bell = cloche blanche
santa_rescue-symbol-black-bell = cloche noire
santa_rescue-symbol-white-heart = cœur blanc
santa_rescue-symbol-black-heart = cœur noir
santa_rescue-symbol-white-star = étoile blanche
santa_rescue-symbol-black-star = étoile noire
santa_rescue-symbol-white-moon = lune blanche
santa_rescue-symbol-black-moon = lune noire
santa_rescue-symbol-white-cloud = nuage blanc
santa_rescue-symbol-black-cloud = nuage noir
santa_rescue-symbol-white-gift = cadeau blanc
santa_rescue-symbol-black-gift = cadeau noir

## Les mêmes dans une phrase : un seul, plusieurs, tous

santa_rescue-one-bell = une cloche
santa_rescue-one-heart = un cœur
santa_rescue-one-star = une étoile
santa_rescue-one-moon = une lune
santa_rescue-one-cloud = un nuage
santa_rescue-one-gift = un cadeau
santa_rescue-many-bell = des cloches
santa_rescue-many-heart = des cœurs
santa_rescue-many-star = des étoiles
santa_rescue-many-moon = des lunes
santa_rescue-many-cloud = des nuages
santa_rescue-many-gift = des cadeaux
santa_rescue-all-bell = toutes les cloches
santa_rescue-all-heart = tous les cœurs
santa_rescue-all-star = toutes les étoiles
santa_rescue-all-moon = toutes les lunes
santa_rescue-all-cloud = tous les nuages
santa_rescue-all-gift = tous les cadeaux
santa_rescue-all-white = tous les symboles blancs
santa_rescue-all-black = tous les symboles noirs
santa_rescue-all-white-bell = toutes les cloches blanches
santa_rescue-all-black-bell = toutes les cloches noires
santa_rescue-all-white-heart = tous les cœurs blancs
santa_rescue-all-black-heart = tous les cœurs noirs
santa_rescue-all-white-star = toutes les étoiles blanches
santa_rescue-all-black-star = toutes les étoiles noires
santa_rescue-all-white-moon = toutes les lunes blanches
santa_rescue-all-black-moon = toutes les lunes noires
santa_rescue-all-white-cloud = tous les nuages blancs
santa_rescue-all-black-cloud = tous les nuages noirs
santa_rescue-all-white-gift = tous les cadeaux blancs
santa_rescue-all-black-gift = tous les cadeaux noirs

## Pouvoirs

santa_rescue-power-change = { $from } devient { $to }
santa_rescue-power-change-all = { $which } deviennent { $to }
santa_rescue-power-copy = copier { $shape } sur un voisin de la même couleur
santa_rescue-power-swap-any = échanger deux voisins
santa_rescue-power-swap-shape = échanger deux voisins de la même forme
santa_rescue-power-swap-colour = échanger deux voisins de la même couleur
santa_rescue-power-swap-ends-any = échanger les deux bouts
santa_rescue-power-swap-ends-shape = échanger les deux bouts s’ils ont la même forme
santa_rescue-power-swap-ends-colour = échanger les deux bouts s’ils ont la même couleur
santa_rescue-power-turn-white = { $which } passent au noir
santa_rescue-power-turn-black = { $which } passent au blanc
santa_rescue-power-invert-all = { $which } changent de couleur
santa_rescue-power-invert = un symbole change de couleur

## Coups : les places se comptent à partir de 1

santa_rescue-move-play = Lutin { $elf } : { $power }
santa_rescue-move-play-at = Lutin { $elf } : { $power }, à la place { $place }
santa_rescue-move-wish = Vouloir abandonner la journée
santa_rescue-move-withdraw = Ne plus vouloir abandonner la journée
santa_rescue-move-open = Ouvrir la fiche du jour

## Monstres

santa_rescue-monster-sock-goblin = Le Gobe-Chaussettes
santa_rescue-monster-snoring-ogre = L’Ogre Ronfleur
santa_rescue-monster-tinsel-spider = L’Araignée Guirlande
santa_rescue-monster-slush-slug = La Limace Gadoue
santa_rescue-monster-crumb-kraken = Le Kraken à Miettes
santa_rescue-monster-grumpy-yeti = Le Yéti Bougon
santa_rescue-monster-mitten-mummy = La Momie Moufle
santa_rescue-monster-icicle-imp = Le Diablotin Glaçon
santa_rescue-monster-chimney-bat = La Chauve-Souris de Cheminée
santa_rescue-monster-pudding-blob = La Gelée Gloutonne
santa_rescue-monster-snowball-troll = Le Troll Boule de Neige
santa_rescue-monster-wrapping-python = Le Python Papier-Cadeau
santa_rescue-monster-off-key-banshee = La Banshee Casserole
santa_rescue-monster-clock-gremlin = Le Gremlin des Pendules
santa_rescue-monster-frosty-dragon = Le Dragon Givré
santa_rescue-monster-liquorice-witch = La Sorcière Réglisse
santa_rescue-monster-shadow-reindeer = Le Renne de l’Ombre
santa_rescue-monster-mirror-ghost = Le Fantôme Miroir
santa_rescue-monster-nutcracker-giant = Le Géant Casse-Noisettes
santa_rescue-monster-blizzard-wolf = Le Loup Blizzard
santa_rescue-monster-two-headed-turkey = La Dinde à Deux Têtes
santa_rescue-monster-gloom-wizard = Le Mage Grisaille
santa_rescue-monster-lair-keeper = La Gardienne du Repaire
santa_rescue-monster-monster-queen = La Reine des Monstres

## Description des monstres

santa_rescue-about-sock-goblin = Il ne mange que les chaussettes gauches. Voilà où vont les tiennes.
santa_rescue-about-snoring-ogre = Il dort en travers du chemin, et chaque ronflement éteint une bougie.
santa_rescue-about-tinsel-spider = Sa toile brille tellement qu’on en oublie de s’enfuir.
santa_rescue-about-slush-slug = Partout où elle passe, la neige devient de la soupe froide.
santa_rescue-about-crumb-kraken = Huit bras, huit biscuits, et des miettes plein le traîneau.
santa_rescue-about-grumpy-yeti = Personne ne rit de ses blagues. Il n’en connaît qu’une.
santa_rescue-about-mitten-mummy = Emballée de laine des pieds à la tête. Un fil dépasse…
santa_rescue-about-icicle-imp = Il te chatouille la nuque avec ses doigts gelés.
santa_rescue-about-chimney-bat = Elle pend dans la cheminée et ne laisse descendre personne.
santa_rescue-about-pudding-blob = Elle tremblote, elle rote, et elle se ressert deux fois.
santa_rescue-about-snowball-troll = Il ne rate jamais sa cible. Sauf quand il éternue.
santa_rescue-about-wrapping-python = Il emballe tout ce qu’il croise, avec un joli nœud.
santa_rescue-about-off-key-banshee = Elle connaît tous les chants de Noël, mais pas les notes.
santa_rescue-about-clock-gremlin = Il retarde toutes les pendules pour que Noël n’arrive jamais.
santa_rescue-about-frosty-dragon = Un jour, il a voulu cracher du feu. Il a attrapé un rhume.
santa_rescue-about-liquorice-witch = Son balai est en bonbons, et ses sorts aussi.
santa_rescue-about-shadow-reindeer = Il copie chacun de tes pas, mais à l’envers.
santa_rescue-about-mirror-ghost = Regarde-le : la gauche est à droite, le blanc est noir.
santa_rescue-about-nutcracker-giant = Crac ! C’était une noisette. La prochaine fois, ton bonnet.
santa_rescue-about-blizzard-wolf = Quand il hurle, la neige tombe de côté.
santa_rescue-about-two-headed-turkey = Une tête dit oui, l’autre dit non, et les deux donnent des coups de bec.
santa_rescue-about-gloom-wizard = Il repeint le monde entier en gris. Même l’arc-en-ciel.
santa_rescue-about-lair-keeper = Elle a cent clés et n’en prête aucune.
santa_rescue-about-monster-queen = Elle garde le Père Noël pour elle : on ne lui a jamais fait de cadeau.

## Comment finit une journée

santa_rescue-result-won = le monstre est battu
santa_rescue-result-missed = ce n’est pas la rangée demandée
santa_rescue-result-stuck = plus aucun pouvoir ne peut être joué
santa_rescue-result-given-up = vous avez abandonné la journée

## Les huit étapes du chemin

santa_rescue-stage-1 = randonneurs champêtres
santa_rescue-stage-2 = bande de casse-cou
santa_rescue-stage-3 = groupe chanceux
santa_rescue-stage-4 = aventuriers en herbe
santa_rescue-stage-5 = troupe efficace
santa_rescue-stage-6 = escouade sans peur
santa_rescue-stage-7 = équipe de choc
santa_rescue-stage-8 = les héros de Noël

## Refus

santa_rescue-refusal-over = La campagne est finie.
santa_rescue-refusal-no-such-seat = Cette place n’existe pas à cette table.
santa_rescue-refusal-resigned = Tu as quitté l’équipe : maintenant, tu regardes.
santa_rescue-refusal-closed = Le jour { $day } n’est pas encore ouvert : il s’ouvre à { $when }.
santa_rescue-refusal-between = Aucun jour n’est ouvert. Ouvre d’abord le suivant.
santa_rescue-refusal-open = La fiche du jour est déjà ouverte.
santa_rescue-refusal-wished = Tu veux déjà abandonner. Il faut que les autres le veuillent aussi.
santa_rescue-refusal-not-wished = Tu ne veux pas abandonner : il n’y a rien à retirer.
santa_rescue-refusal-not-held = C’est quelqu’un d’autre qui tient le lutin { $elf }.
santa_rescue-refusal-spent = Le lutin { $elf } a déjà joué aujourd’hui. Il rejouera demain.
santa_rescue-refusal-locked = Le lutin { $elf } n’a pas encore appris son deuxième pouvoir.
santa_rescue-refusal-aimless = « { $power } » : il faut dire à quelle place.
santa_rescue-refusal-aimed = « { $power } » ne vise aucune place : n’en donne pas.
santa_rescue-refusal-outside = « { $power } » ne peut pas viser là : cette place n’existe pas dans la rangée.
santa_rescue-refusal-other-shape = « { $power } » ne marche pas là : le symbole a une autre forme.
santa_rescue-refusal-no-source = « { $power } » ne marche pas là : aucun voisin à copier n’a la même couleur.
santa_rescue-refusal-not-alike = « { $power } » ne marche pas là : les deux symboles ne se ressemblent pas.
santa_rescue-refusal-no-effect = « { $power } » ne changerait rien : on ne peut pas le jouer.
santa_rescue-refusal-no-such-draft = Il y a { $columns } colonnes de brouillon, numérotées à partir de 1.
santa_rescue-refusal-draft = Un brouillon a au plus { $most } rangées, et aujourd’hui chacune a { $length } symboles.
santa_rescue-refusal-name = Le nom d’un lutin a de 1 à { $most } lettres ou signes, sans caractères bizarres.
santa_rescue-refusal-no-hints = À cette table, il n’y a pas d’indices. Mettez-vous d’accord avant la prochaine campagne.
santa_rescue-refusal-hinted = Le dernier indice compte toujours : personne n’a joué de pouvoir depuis.
santa_rescue-refusal-chosen = Quelqu’un d’autre a choisi le lutin { $elf }.
santa_rescue-refusal-too-many-elves = Il n’y aurait plus de lutin pour tout le monde. Choisis-en moins.
santa_rescue-refusal-days = Les jours vont de 1 à { $last }.
santa_rescue-refusal-days-order = Le premier jour ne peut pas venir après le dernier, et les jours vont jusqu’à { $last }.
santa_rescue-refusal-campaign-seed = Le numéro d’une campagne est entre 0 et { $most }.
santa_rescue-refusal-year = L’année doit être entre 1900 et 2200 ; les jours vont du 1er au { $last } décembre.
santa_rescue-refusal-calendar = Ce calendrier est impossible à calculer. Choisis une autre année ou un autre fuseau horaire.

## Comment finit une campagne

santa_rescue-reason-campaign-over = le dernier jour est passé
