BEGIN TRANSACTION;
CREATE TABLE account (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name VARCHAR(100) NOT NULL, 
	name_key VARCHAR(600) NOT NULL, 
	email VARCHAR(254), 
	role VARCHAR(20) NOT NULL, 
	password_hash TEXT, 
	active BOOLEAN DEFAULT 1 NOT NULL, 
	created_at DATETIME NOT NULL, 
	UNIQUE (name_key), 
	UNIQUE (email)
);
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
INSERT INTO "alembic_version" VALUES('9');
CREATE TABLE attempt (
	"key" VARCHAR(64) NOT NULL, 
	failures INTEGER NOT NULL, 
	last_at DATETIME NOT NULL, 
	waits_until DATETIME NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE event (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	project_id INTEGER, 
	text_id INTEGER, 
	kind VARCHAR(20) NOT NULL, 
	value TEXT, 
	data JSON, 
	person VARCHAR(100) NOT NULL, 
	batch INTEGER, 
	undoes INTEGER, 
	created_at DATETIME NOT NULL, 
	FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE, 
	FOREIGN KEY(text_id) REFERENCES text (id) ON DELETE CASCADE, 
	UNIQUE (undoes), 
	FOREIGN KEY(undoes) REFERENCES event (id) ON DELETE CASCADE
);
INSERT INTO "event" VALUES(1,1,NULL,'project',NULL,'{"name": "Trips", "task": "classification", "description": "Where to, and for how much", "tokenizer": "punctuation", "lowercase": true, "sample": null, "ignore_slot_case": false, "policy": "every"}','Ann',NULL,NULL,'2026-11-25 06:28:47.767497');
INSERT INTO "event" VALUES(2,1,NULL,'texts',NULL,'{"first": 0, "count": 83, "digest": "6182d9977cb629cefc1c8793a3a3d2cb"}','Ann',NULL,NULL,'2026-11-25 06:28:47.767497');
INSERT INTO "event" VALUES(3,1,NULL,'version',NULL,'{"number": 1, "rules_text": "[travel]\ngo := $* ( flight | flights ) $*\n[money]\nprice := $* ( price | fare ) $*\n", "logic_text": "default = \"travel\"\npriorities = [\"money > travel\"]\n", "sentences_text": "", "message": "First version"}','Ann',NULL,NULL,'2026-11-25 06:28:47.767497');
INSERT INTO "event" VALUES(4,1,NULL,'version',NULL,'{"number": 2, "rules_text": "@city@=( boston | oslo )\n[travel]\ngo := $* ( flight | flights ) $*\nto_city := $* fly to @city@ $*\n[money]\nprice := $* ( price | fare ) $*     // what it costs\nmuch := $* how much $*\n", "logic_text": "default = \"travel\"\npriorities = [\"money > travel\"]\n", "sentences_text": "[price]\nmust = [\"what is the fare\"]\nmust_not = [\"a flight to oslo\"]\n", "message": "how much, and to which city"}','Bob',NULL,NULL,'2026-11-25 06:28:47.814240');
INSERT INTO "event" VALUES(5,1,81,'label','money',NULL,'Ann',NULL,NULL,'2026-11-25 06:28:47.831796');
INSERT INTO "event" VALUES(6,1,81,'label','travel',NULL,'Bob',NULL,NULL,'2026-11-25 06:28:47.841029');
INSERT INTO "event" VALUES(7,1,82,'label','money',NULL,'Ann',NULL,NULL,'2026-11-25 06:28:47.844329');
INSERT INTO "event" VALUES(8,1,82,'label','travel',NULL,'Ann',NULL,NULL,'2026-11-25 06:28:47.847284');
INSERT INTO "event" VALUES(9,1,82,'undo','travel',NULL,'Ann',NULL,8,'2026-11-25 06:28:47.857073');
INSERT INTO "event" VALUES(10,1,1,'label','money',NULL,'Bob',NULL,NULL,'2026-11-25 06:28:47.877929');
INSERT INTO "event" VALUES(11,1,1,'undo','money',NULL,'Bob',NULL,10,'2026-11-25 06:28:47.882231');
INSERT INTO "event" VALUES(12,1,81,'decide','money','{"between": {"Ann": "money", "Bob": "travel"}}','Cléo',NULL,NULL,'2026-11-25 06:28:47.898712');
INSERT INTO "event" VALUES(13,1,83,'label','travel',NULL,'Bob',NULL,NULL,'2026-11-25 06:28:47.908327');
INSERT INTO "event" VALUES(14,1,NULL,'policy','agreed',NULL,'Cléo',NULL,NULL,'2026-11-25 06:28:47.912744');
INSERT INTO "event" VALUES(15,1,NULL,'queue',NULL,'{"texts": 2, "overlap": 2, "blind": true, "lease_seconds": 600, "share_with": ["Ann", "Bob"]}','Cléo',NULL,NULL,'2026-11-25 06:28:47.951038');
INSERT INTO "event" VALUES(16,1,NULL,'run',NULL,'{"run": 1, "kind": "train", "version": 2, "config": {"network": {"machines": "rule", "vectors": "none", "cell": "rnn", "bidirectional": false, "scoring": "forward", "decomposed": true, "rank": null, "normalise": false, "beta": null, "initial": "rules", "extra_states": 0, "keep_blocks": true, "train_words": true, "train_wildcard": true, "train_ends": true, "state_head": false, "aggregation": "logic", "aggregation_activation": true, "train_aggregation": false, "logit_scale": 6.0, "dropout": 0.0, "leak": 0.2, "beside": "none", "beside_states": 150, "beside_share": 1.0, "seed": 0}, "train": {"epochs": 60, "batch_size": 8, "learning_rate": 0.06, "vector_rate": 0.005, "head_rate": 0.005, "encoder_rate": 5e-05, "beside_rate": 0.002, "decay": 0.99, "patience": 40, "pull": 1e-06, "copies": 2, "average": "weights", "unlabelled": 0.0, "near_rules": false, "seed": 1, "device": "cpu", "threads": 1}, "threads": 1, "by_hand": ["epochs", "pull"], "aim": "reading"}}','Ann',NULL,NULL,'2026-11-25 06:28:47.977978');
INSERT INTO "event" VALUES(17,1,NULL,'run_end',NULL,'{"run": 1, "state": "done", "result": {"model": "/srv/re2nn/models/train-b60fe2c139b64412", "device": "cpu", "epochs": 44, "best_epoch": 4, "train_size": 51, "zero_shot": {"dev": 0.8533333333333334, "test": 0.875}, "dev": 0.9866666666666667, "test": 1.0, "recipe": "51 training texts: gentle steps, a pull of 1e-06 towards the written rules, no state head; 24 dev texts alone are too few to decide when to stop: 2 copies, each with another share of all 75 labelled texts held out, and their weights averaged; ''dev, held out'' is measured on these shares; set by hand: epochs 60, batch_size 8, learning_rate 0.06, decay 0.99, patience 40, pull 1e-06, copies 2. Network: vectors none, train_words True, state_head False, logit_scale 6.0, dropout 0.0, leak 0.2.", "vectors": "none", "parameters": 627, "notes": [], "turns": true, "figures": [{"name": "dev, held out", "untrained": 0.8533333333333334, "trained": 0.9866666666666667, "near_rules": null}, {"name": "dev, learned from", "untrained": 0.875, "trained": 1.0, "near_rules": null}, {"name": "test", "untrained": 0.875, "trained": 1.0, "near_rules": null}], "accuracy": 0.9866666666666667, "policy": "agreed", "waiting": 0}, "error": null}','',NULL,NULL,'2026-11-25 06:28:53.425972');
INSERT INTO "event" VALUES(18,1,NULL,'run',NULL,'{"run": 2, "kind": "train", "version": 2, "config": {"network": {"machines": "rule", "vectors": "none", "cell": "rnn", "bidirectional": false, "scoring": "forward", "decomposed": true, "rank": null, "normalise": false, "beta": null, "initial": "rules", "extra_states": 0, "keep_blocks": true, "train_words": true, "train_wildcard": true, "train_ends": true, "state_head": false, "aggregation": "logic", "aggregation_activation": true, "train_aggregation": false, "logit_scale": 6.0, "dropout": 0.0, "leak": 0.2, "beside": "none", "beside_states": 150, "beside_share": 1.0, "seed": 0}, "train": {"epochs": 60, "batch_size": 8, "learning_rate": 0.06, "vector_rate": 0.005, "head_rate": 0.005, "encoder_rate": 5e-05, "beside_rate": 0.002, "decay": 0.99, "patience": 40, "pull": 1e-06, "copies": 2, "average": "weights", "unlabelled": 0.0, "near_rules": false, "seed": 1, "device": "cpu", "threads": 1}, "threads": 1, "by_hand": ["epochs", "pull"], "aim": "reading"}}','Bob',NULL,NULL,'2026-11-25 06:28:53.953793');
INSERT INTO "event" VALUES(19,1,NULL,'run_end',NULL,'{"run": 2, "state": "done", "result": {"vectors": "none", "train_size": 51, "policy": "agreed", "waiting": 0, "turns": true, "zero_shot": {"dev": 0.9866666666666667, "test": 1.0}, "dev": null, "test": 1.0, "accuracy": null, "edit": {"former": 1, "added": ["town"], "disabled": ["go"], "enabled": [], "off": ["go"], "untouched": 3, "same_weights": true, "max_difference": 1.1920928955078125e-07, "bit_equal": false, "restarted": [], "texts": 83, "changed": 0, "dev_texts": 0, "dev_before": null, "dev_after": null, "test_texts": 8, "test_before": 1.0, "test_after": 1.0, "learned": true}}, "error": null}','Bob',NULL,NULL,'2026-11-25 06:28:53.954240');
INSERT INTO "event" VALUES(20,1,NULL,'run',NULL,'{"run": 3, "kind": "curve", "version": 2, "config": {"aim": "reading", "network": {"vectors": "none", "train_words": true}, "train": {"epochs": 12, "learning_rate": 0.05, "device": "cpu"}, "threads": 1, "measured": "Measured on the 24 dev texts and the 8 test texts; nothing learns from them here.", "measured_name": "dev", "measured_texts": 24, "fingerprint": "3177748992785346"}}','Ann',NULL,NULL,'2026-11-25 06:28:54.008717');
INSERT INTO "event" VALUES(21,1,NULL,'run_end',NULL,'{"run": 3, "state": "done", "result": {"outcomes": [{"at": 0.3, "seed": 0, "texts": 15, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": null, "seconds": 1.05}, {"at": 0.3, "seed": 1, "texts": 15, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": null, "seconds": 0.98}, {"at": 1.0, "seed": 0, "texts": 51, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": null, "seconds": 1.64}, {"at": 1.0, "seed": 1, "texts": 51, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": null, "seconds": 1.57}]}, "error": null}','',NULL,NULL,'2026-11-25 06:29:02.747660');
INSERT INTO "event" VALUES(22,1,NULL,'run',NULL,'{"run": 4, "kind": "beta", "version": 2, "config": {"aim": "reading", "network": {"vectors": "builtin"}, "train": {"epochs": 6, "vector_rate": 0.05, "learning_rate": 0.03, "device": "cpu"}, "threads": 1, "measured": "Measured on the 24 dev texts and the 8 test texts; nothing learns from them here.", "measured_name": "dev", "measured_texts": 24, "fingerprint": "3177748992785346"}}','Ann',NULL,NULL,'2026-11-25 06:29:02.768111');
INSERT INTO "event" VALUES(23,1,NULL,'run_end',NULL,'{"run": 4, "state": "done", "result": {"outcomes": [{"at": 0.3, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.89}, {"at": 0.5, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.88}, {"at": 0.7, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.78}, {"at": 1.0, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.87}, {"at": null, "seed": 0, "texts": 51, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": 87.5, "seconds": 0.79}]}, "error": null}','',NULL,NULL,'2026-11-25 06:29:07.085372');
INSERT INTO "event" VALUES(24,1,NULL,'run',NULL,'{"run": 5, "kind": "models", "version": 2, "config": {"systems": ["reading", "dan"], "amounts": [20], "seeds": 1, "threads": 1, "measured": "Measured on the 24 dev texts; nothing learns from them here.", "measured_name": "dev", "measured_texts": 24, "measure": "accuracy", "fingerprint": "3177748992785346", "begun_with": "158fe2cca2d2886dd03addb7f5ef2914cb472b4b6365d95ba4ce72af89ddf113"}}','Ann',NULL,NULL,'2026-11-25 06:29:07.114137');
INSERT INTO "event" VALUES(25,1,NULL,'run_end',NULL,'{"run": 5, "state": "done", "result": {"trained": [{"system": "reading", "texts": 20, "seed": 0, "value": 100.0, "seconds": 4.51, "vectors": "all-MiniLM-L6-v2", "code": "0.1.0, commit 81867fc"}, {"system": "dan", "texts": 20, "seed": 0, "value": 87.5, "seconds": 0.45, "vectors": "all-MiniLM-L6-v2", "code": "0.1.0, commit 81867fc"}]}, "error": null}','',NULL,NULL,'2026-11-25 06:29:12.144791');
INSERT INTO "event" VALUES(26,1,NULL,'run',NULL,'{"run": 6, "kind": "train", "version": 2, "config": {"network": {"machines": "rule", "vectors": "none", "cell": "rnn", "bidirectional": false, "scoring": "forward", "decomposed": true, "rank": null, "normalise": false, "beta": null, "initial": "rules", "extra_states": 0, "keep_blocks": true, "train_words": true, "train_wildcard": true, "train_ends": true, "state_head": false, "aggregation": "logic", "aggregation_activation": true, "train_aggregation": false, "logit_scale": 6.0, "dropout": 0.0, "leak": 0.2, "beside": "none", "beside_states": 150, "beside_share": 1.0, "seed": 0}, "train": {"epochs": 40, "batch_size": 8, "learning_rate": 0.03, "vector_rate": 0.005, "head_rate": 0.005, "encoder_rate": 5e-05, "beside_rate": 0.002, "decay": 0.99, "patience": 12, "pull": 1e-05, "copies": 2, "average": "weights", "unlabelled": 0.0, "near_rules": true, "seed": 1, "device": "cpu", "threads": 1}, "threads": 1, "by_hand": ["epochs"], "aim": "reading"}}','Bob',NULL,NULL,'2026-11-25 06:29:12.150701');
INSERT INTO "event" VALUES(27,1,NULL,'run_end',NULL,'{"run": 6, "state": "done", "result": {"model": "/srv/re2nn/models/train-b4dfdd08cca54a00", "device": "cpu", "epochs": 17, "best_epoch": 5, "train_size": 51, "zero_shot": {"dev": 0.8533333333333334, "test": 0.875}, "dev": 1.0, "test": 1.0, "recipe": "51 training texts: gentle steps, a pull of 1e-05 towards the written rules, no state head; 24 dev texts alone are too few to decide when to stop: 2 copies, each with another share of all 75 labelled texts held out, and their weights averaged; ''dev, held out'' is measured on these shares; set by hand: epochs 40, batch_size 8, learning_rate 0.03, decay 0.99, pull 1e-05, copies 2, near_rules True. Network: vectors none, train_words True, state_head False, logit_scale 6.0, dropout 0.0, leak 0.2.", "vectors": "none", "parameters": 795, "notes": ["Training ended near rules: 4 rules kept, 0 changed, 1 new; 0 edges changed, by 0 words. The network answers as these rules do on 100.0% of the texts that it was trained and stopped on."], "turns": true, "figures": [{"name": "dev, held out", "untrained": 0.8533333333333334, "trained": 0.9866666666666667, "near_rules": null}, {"name": "dev, learned from", "untrained": 0.875, "trained": 1.0, "near_rules": 1.0}, {"name": "test", "untrained": 0.875, "trained": null, "near_rules": 1.0}], "accuracy": 1.0, "policy": "agreed", "waiting": 0}, "error": null}','',NULL,NULL,'2026-11-25 06:29:13.505434');
INSERT INTO "event" VALUES(28,2,NULL,'project',NULL,'{"name": "Journeys", "task": "slots", "description": "", "tokenizer": "whitespace", "lowercase": true, "sample": null, "ignore_slot_case": true, "policy": "every"}','Ann',NULL,NULL,'2026-11-25 06:29:13.553785');
INSERT INTO "event" VALUES(29,2,NULL,'texts',NULL,'{"first": 0, "count": 43, "digest": "0d70e443b05dff8760d688b3a6c2b63e"}','Ann',NULL,NULL,'2026-11-25 06:29:13.553785');
INSERT INTO "event" VALUES(30,2,NULL,'version',NULL,'{"number": 1, "rules_text": "@city@=( boston | oslo | paris )\nto := $* to [ @city@ ]<to_city> $*\n", "logic_text": "", "sentences_text": "", "message": "First version"}','Ann',NULL,NULL,'2026-11-25 06:29:13.553785');
INSERT INTO "event" VALUES(31,2,NULL,'version',NULL,'{"number": 2, "rules_text": "@city@=( boston | oslo | paris )\nto := $* to [ @city@ ]<to_city> $*\nfrom_to := $* from [ @city@ ]<from_city> to $*\nday := $* on ( monday | friday | foot )<:>day $*     // \"on foot\" is no day\n", "logic_text": "priorities = [\"to_city > from_city\"]\nlongest = true\n", "sentences_text": "", "message": "from and day"}','Bob',NULL,NULL,'2026-11-25 06:29:13.566953');
INSERT INTO "event" VALUES(32,2,126,'label','[[7,13,"to_city"]]',NULL,'Ann',NULL,NULL,'2026-11-25 06:29:13.578958');
INSERT INTO "event" VALUES(33,2,126,'label','[[7,13,"to_city"],[17,23,"day"]]',NULL,'Bob',NULL,NULL,'2026-11-25 06:29:13.587168');
INSERT INTO "event" VALUES(34,2,84,'label','[]',NULL,'Ann',NULL,NULL,'2026-11-25 06:29:13.597293');
INSERT INTO "event" VALUES(35,2,84,'undo','[]',NULL,'Ann',NULL,34,'2026-11-25 06:29:13.606309');
INSERT INTO "event" VALUES(36,2,NULL,'run',NULL,'{"run": 7, "kind": "train", "version": 2, "config": {"network": {"transducer": "positions", "activation": "clamp", "cell": "rnn", "rank": null, "vectors": "builtin", "tune_encoder": false, "eta": null, "context_start": "aggregate", "initial": "rules", "extra_states": 0, "keep_blocks": true, "train_words": true, "train_wildcard": true, "train_ends": true, "threshold": 0.15, "decoding": "softmax", "residual": "none", "residual_states": 128, "apart": false, "doubt": 0.0, "word_dimensions": 50, "word_dropout": 0.1, "logit_scale": 2.0, "dropout": 0.0, "leak": 0.2, "seed": 0}, "train": {"epochs": 30, "batch_size": 8, "learning_rate": 0.05, "vector_rate": 0.02, "head_rate": 0.05, "encoder_rate": 5e-05, "beside_rate": 0.002, "decay": 1.0, "patience": 30, "pull": 0.0, "copies": 1, "average": "weights", "unlabelled": 0.0, "near_rules": false, "seed": 2, "device": "cpu", "threads": 1}, "threads": 1, "task": "slots", "aim": "reading"}}','Bob',NULL,NULL,'2026-11-25 06:29:13.616972');
INSERT INTO "event" VALUES(37,2,NULL,'run_end',NULL,'{"run": 7, "state": "done", "result": {"model": "/srv/re2nn/models/train-9e4a50363b894698", "device": "cpu", "epochs": 30, "best_epoch": 13, "train_size": 29, "zero_shot": {"dev": 0.8000000000000002, "test": 0.5}, "dev": 1.0, "test": 0.888888888888889, "test_scores": {"precision": 1.0, "recall": 0.8, "f1": 0.888888888888889, "support": 10, "found": 8, "right": 8}, "recipe": "29 training texts; 7 dev texts decide when to stop; the rules'' network alone.", "vectors": "builtin", "parameters": 1727, "notes": [], "from_dev": 0, "figures": [{"name": "dev", "untrained": 0.8000000000000002, "trained": 1.0, "near_rules": null}, {"name": "test", "untrained": 0.5, "trained": 0.888888888888889, "near_rules": null}], "accuracy": 1.0, "policy": "every", "waiting": 0}, "error": null}','',NULL,NULL,'2026-11-25 06:29:14.950470');
CREATE TABLE project (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name VARCHAR(200) NOT NULL, 
	name_key VARCHAR(600) NOT NULL, 
	task VARCHAR(40) NOT NULL, 
	description TEXT NOT NULL, 
	tokenizer VARCHAR(40) NOT NULL, 
	lowercase BOOLEAN NOT NULL, 
	sample VARCHAR(200), 
	ignore_slot_case BOOLEAN DEFAULT 0 NOT NULL, 
	policy VARCHAR(40) DEFAULT 'every' NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	UNIQUE (name_key)
);
INSERT INTO "project" VALUES(1,'Trips','trips','classification','Where to, and for how much','punctuation',1,NULL,0,'agreed','2026-11-25 06:28:47.767497','2026-11-25 06:28:47.912062');
INSERT INTO "project" VALUES(2,'Journeys','journeys','slots','','whitespace',1,NULL,1,'every','2026-11-25 06:29:13.553785','2026-11-25 06:29:13.553785');
CREATE TABLE queue (
	project_id INTEGER NOT NULL, 
	overlap INTEGER NOT NULL, 
	blind BOOLEAN NOT NULL, 
	shared BOOLEAN NOT NULL, 
	lease_seconds INTEGER NOT NULL, 
	with_decided BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (project_id), 
	FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
INSERT INTO "queue" VALUES(1,2,1,1,600,0);
CREATE TABLE reach (
	project_id INTEGER NOT NULL, 
	person VARCHAR(100) NOT NULL, 
	assigned VARCHAR(100) NOT NULL, 
	place INTEGER NOT NULL, 
	PRIMARY KEY (project_id, person, assigned), 
	FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE TABLE rule_version (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	project_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	rules_text TEXT NOT NULL, 
	logic_text TEXT NOT NULL, 
	author VARCHAR(100) NOT NULL, 
	message TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	sentences_text TEXT DEFAULT '' NOT NULL, 
	UNIQUE (project_id, number), 
	FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
INSERT INTO "rule_version" VALUES(1,1,1,'[travel]
go := $* ( flight | flights ) $*
[money]
price := $* ( price | fare ) $*
','default = "travel"
priorities = ["money > travel"]
','Ann','First version','2026-11-25 06:28:47.767497','');
INSERT INTO "rule_version" VALUES(2,1,2,'@city@=( boston | oslo )
[travel]
go := $* ( flight | flights ) $*
to_city := $* fly to @city@ $*
[money]
price := $* ( price | fare ) $*     // what it costs
much := $* how much $*
','default = "travel"
priorities = ["money > travel"]
','Bob','how much, and to which city','2026-11-25 06:28:47.814240','[price]
must = ["what is the fare"]
must_not = ["a flight to oslo"]
');
INSERT INTO "rule_version" VALUES(3,2,1,'@city@=( boston | oslo | paris )
to := $* to [ @city@ ]<to_city> $*
','','Ann','First version','2026-11-25 06:29:13.553785','');
INSERT INTO "rule_version" VALUES(4,2,2,'@city@=( boston | oslo | paris )
to := $* to [ @city@ ]<to_city> $*
from_to := $* from [ @city@ ]<from_city> to $*
day := $* on ( monday | friday | foot )<:>day $*     // "on foot" is no day
','priorities = ["to_city > from_city"]
longest = true
','Bob','from and day','2026-11-25 06:29:13.566953','');
CREATE TABLE run (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	project_id INTEGER NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	rule_version_id INTEGER, 
	state VARCHAR(10) NOT NULL, 
	step INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	message TEXT NOT NULL, 
	config JSON NOT NULL, 
	result JSON, 
	accuracy FLOAT, 
	error TEXT, 
	pid INTEGER, 
	host VARCHAR(255), 
	heartbeat DATETIME, 
	cancel_requested BOOLEAN NOT NULL, 
	created_at DATETIME NOT NULL, 
	started_at DATETIME, 
	finished_at DATETIME, 
	folder VARCHAR(80) NOT NULL, 
	FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE, 
	FOREIGN KEY(rule_version_id) REFERENCES rule_version (id) ON DELETE SET NULL, 
	UNIQUE (folder)
);
INSERT INTO "run" VALUES(1,1,'train',2,'done',44,60,'epoch 44; kept so far: epoch 4','{"network": {"machines": "rule", "vectors": "none", "cell": "rnn", "bidirectional": false, "scoring": "forward", "decomposed": true, "rank": null, "normalise": false, "beta": null, "initial": "rules", "extra_states": 0, "keep_blocks": true, "train_words": true, "train_wildcard": true, "train_ends": true, "state_head": false, "aggregation": "logic", "aggregation_activation": true, "train_aggregation": false, "logit_scale": 6.0, "dropout": 0.0, "leak": 0.2, "beside": "none", "beside_states": 150, "beside_share": 1.0, "seed": 0}, "train": {"epochs": 60, "batch_size": 8, "learning_rate": 0.06, "vector_rate": 0.005, "head_rate": 0.005, "encoder_rate": 5e-05, "beside_rate": 0.002, "decay": 0.99, "patience": 40, "pull": 1e-06, "copies": 2, "average": "weights", "unlabelled": 0.0, "near_rules": false, "seed": 1, "device": "cpu", "threads": 1}, "threads": 1, "by_hand": ["epochs", "pull"], "aim": "reading"}','{"model": "/srv/re2nn/models/train-b60fe2c139b64412", "device": "cpu", "epochs": 44, "best_epoch": 4, "train_size": 51, "zero_shot": {"dev": 0.8533333333333334, "test": 0.875}, "dev": 0.9866666666666667, "test": 1.0, "recipe": "51 training texts: gentle steps, a pull of 1e-06 towards the written rules, no state head; 24 dev texts alone are too few to decide when to stop: 2 copies, each with another share of all 75 labelled texts held out, and their weights averaged; ''dev, held out'' is measured on these shares; set by hand: epochs 60, batch_size 8, learning_rate 0.06, decay 0.99, patience 40, pull 1e-06, copies 2. Network: vectors none, train_words True, state_head False, logit_scale 6.0, dropout 0.0, leak 0.2.", "vectors": "none", "parameters": 627, "notes": [], "turns": true, "figures": [{"name": "dev, held out", "untrained": 0.8533333333333334, "trained": 0.9866666666666667, "near_rules": null}, {"name": "dev, learned from", "untrained": 0.875, "trained": 1.0, "near_rules": null}, {"name": "test", "untrained": 0.875, "trained": 1.0, "near_rules": null}], "accuracy": 0.9866666666666667, "policy": "agreed", "waiting": 0}',9.86666666666666691831e-01,NULL,4321,'studio','2026-11-25 06:28:53.412746',0,'2026-11-25 06:28:47.957979','2026-11-25 06:28:47.998513','2026-11-25 06:28:53.424019','train-b60fe2c139b64412');
INSERT INTO "run" VALUES(2,1,'train',2,'done',0,0,'','{"network": {"machines": "rule", "vectors": "none", "cell": "rnn", "bidirectional": false, "scoring": "forward", "decomposed": true, "rank": null, "normalise": false, "beta": null, "initial": "rules", "extra_states": 0, "keep_blocks": true, "train_words": true, "train_wildcard": true, "train_ends": true, "state_head": false, "aggregation": "logic", "aggregation_activation": true, "train_aggregation": false, "logit_scale": 6.0, "dropout": 0.0, "leak": 0.2, "beside": "none", "beside_states": 150, "beside_share": 1.0, "seed": 0}, "train": {"epochs": 60, "batch_size": 8, "learning_rate": 0.06, "vector_rate": 0.005, "head_rate": 0.005, "encoder_rate": 5e-05, "beside_rate": 0.002, "decay": 0.99, "patience": 40, "pull": 1e-06, "copies": 2, "average": "weights", "unlabelled": 0.0, "near_rules": false, "seed": 1, "device": "cpu", "threads": 1}, "threads": 1, "by_hand": ["epochs", "pull"], "aim": "reading"}','{"vectors": "none", "train_size": 51, "policy": "agreed", "waiting": 0, "turns": true, "zero_shot": {"dev": 0.9866666666666667, "test": 1.0}, "dev": null, "test": 1.0, "accuracy": null, "edit": {"former": 1, "added": ["town"], "disabled": ["go"], "enabled": [], "off": ["go"], "untouched": 3, "same_weights": true, "max_difference": 1.1920928955078125e-07, "bit_equal": false, "restarted": [], "texts": 83, "changed": 0, "dev_texts": 0, "dev_before": null, "dev_after": null, "test_texts": 8, "test_before": 1.0, "test_after": 1.0, "learned": true}}',NULL,NULL,NULL,NULL,NULL,0,'2026-11-25 06:28:53.942847','2026-11-25 06:28:53.942698','2026-11-25 06:28:53.942698','train-b0d531e8a2284a9f');
INSERT INTO "run" VALUES(3,1,'curve',2,'done',4,4,'','{"aim": "reading", "network": {"vectors": "none", "train_words": true}, "train": {"epochs": 12, "learning_rate": 0.05, "device": "cpu"}, "threads": 1, "measured": "Measured on the 24 dev texts and the 8 test texts; nothing learns from them here.", "measured_name": "dev", "measured_texts": 24, "fingerprint": "3177748992785346"}','{"outcomes": [{"at": 0.3, "seed": 0, "texts": 15, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": null, "seconds": 1.05}, {"at": 0.3, "seed": 1, "texts": 15, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": null, "seconds": 0.98}, {"at": 1.0, "seed": 0, "texts": 51, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": null, "seconds": 1.64}, {"at": 1.0, "seed": 1, "texts": 51, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": null, "seconds": 1.57}]}',NULL,NULL,4321,'studio','2026-11-25 06:29:02.739508',0,'2026-11-25 06:28:54.007016','2026-11-25 06:28:54.021838','2026-11-25 06:29:02.746486','curve-b10fd3f03d964b99');
INSERT INTO "run" VALUES(4,1,'beta',2,'done',5,5,'','{"aim": "reading", "network": {"vectors": "builtin"}, "train": {"epochs": 6, "vector_rate": 0.05, "learning_rate": 0.03, "device": "cpu"}, "threads": 1, "measured": "Measured on the 24 dev texts and the 8 test texts; nothing learns from them here.", "measured_name": "dev", "measured_texts": 24, "fingerprint": "3177748992785346"}','{"outcomes": [{"at": 0.3, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.89}, {"at": 0.5, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.88}, {"at": 0.7, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.78}, {"at": 1.0, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.87}, {"at": null, "seed": 0, "texts": 51, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": 87.5, "seconds": 0.79}]}',NULL,NULL,4321,'studio','2026-11-25 06:29:07.071490',0,'2026-11-25 06:29:02.766621','2026-11-25 06:29:02.774562','2026-11-25 06:29:07.083963','beta-e7f3e656f67341ec');
INSERT INTO "run" VALUES(5,1,'models',2,'done',2,2,'','{"systems": ["reading", "dan"], "amounts": [20], "seeds": 1, "threads": 1, "measured": "Measured on the 24 dev texts; nothing learns from them here.", "measured_name": "dev", "measured_texts": 24, "measure": "accuracy", "fingerprint": "3177748992785346", "begun_with": "158fe2cca2d2886dd03addb7f5ef2914cb472b4b6365d95ba4ce72af89ddf113"}','{"trained": [{"system": "reading", "texts": 20, "seed": 0, "value": 100.0, "seconds": 4.51, "vectors": "all-MiniLM-L6-v2", "code": "0.1.0, commit 81867fc"}, {"system": "dan", "texts": 20, "seed": 0, "value": 87.5, "seconds": 0.45, "vectors": "all-MiniLM-L6-v2", "code": "0.1.0, commit 81867fc"}]}',NULL,NULL,4321,'studio','2026-11-25 06:29:12.135566',0,'2026-11-25 06:29:07.112548','2026-11-25 06:29:07.124006','2026-11-25 06:29:12.143666','models-9ff66dad38704627');
INSERT INTO "run" VALUES(6,1,'train',2,'done',17,40,'epoch 17; kept so far: epoch 5','{"network": {"machines": "rule", "vectors": "none", "cell": "rnn", "bidirectional": false, "scoring": "forward", "decomposed": true, "rank": null, "normalise": false, "beta": null, "initial": "rules", "extra_states": 0, "keep_blocks": true, "train_words": true, "train_wildcard": true, "train_ends": true, "state_head": false, "aggregation": "logic", "aggregation_activation": true, "train_aggregation": false, "logit_scale": 6.0, "dropout": 0.0, "leak": 0.2, "beside": "none", "beside_states": 150, "beside_share": 1.0, "seed": 0}, "train": {"epochs": 40, "batch_size": 8, "learning_rate": 0.03, "vector_rate": 0.005, "head_rate": 0.005, "encoder_rate": 5e-05, "beside_rate": 0.002, "decay": 0.99, "patience": 12, "pull": 1e-05, "copies": 2, "average": "weights", "unlabelled": 0.0, "near_rules": true, "seed": 1, "device": "cpu", "threads": 1}, "threads": 1, "by_hand": ["epochs"], "aim": "reading"}','{"model": "/srv/re2nn/models/train-b4dfdd08cca54a00", "device": "cpu", "epochs": 17, "best_epoch": 5, "train_size": 51, "zero_shot": {"dev": 0.8533333333333334, "test": 0.875}, "dev": 1.0, "test": 1.0, "recipe": "51 training texts: gentle steps, a pull of 1e-05 towards the written rules, no state head; 24 dev texts alone are too few to decide when to stop: 2 copies, each with another share of all 75 labelled texts held out, and their weights averaged; ''dev, held out'' is measured on these shares; set by hand: epochs 40, batch_size 8, learning_rate 0.03, decay 0.99, pull 1e-05, copies 2, near_rules True. Network: vectors none, train_words True, state_head False, logit_scale 6.0, dropout 0.0, leak 0.2.", "vectors": "none", "parameters": 795, "notes": ["Training ended near rules: 4 rules kept, 0 changed, 1 new; 0 edges changed, by 0 words. The network answers as these rules do on 100.0% of the texts that it was trained and stopped on."], "turns": true, "figures": [{"name": "dev, held out", "untrained": 0.8533333333333334, "trained": 0.9866666666666667, "near_rules": null}, {"name": "dev, learned from", "untrained": 0.875, "trained": 1.0, "near_rules": 1.0}, {"name": "test", "untrained": 0.875, "trained": null, "near_rules": 1.0}], "accuracy": 1.0, "policy": "agreed", "waiting": 0}',1.0,NULL,4321,'studio','2026-11-25 06:29:13.497817',0,'2026-11-25 06:29:12.149378','2026-11-25 06:29:12.161411','2026-11-25 06:29:13.504199','train-b4dfdd08cca54a00');
INSERT INTO "run" VALUES(7,2,'train',4,'done',30,30,'epoch 30; kept so far: epoch 13','{"network": {"transducer": "positions", "activation": "clamp", "cell": "rnn", "rank": null, "vectors": "builtin", "tune_encoder": false, "eta": null, "context_start": "aggregate", "initial": "rules", "extra_states": 0, "keep_blocks": true, "train_words": true, "train_wildcard": true, "train_ends": true, "threshold": 0.15, "decoding": "softmax", "residual": "none", "residual_states": 128, "apart": false, "doubt": 0.0, "word_dimensions": 50, "word_dropout": 0.1, "logit_scale": 2.0, "dropout": 0.0, "leak": 0.2, "seed": 0}, "train": {"epochs": 30, "batch_size": 8, "learning_rate": 0.05, "vector_rate": 0.02, "head_rate": 0.05, "encoder_rate": 5e-05, "beside_rate": 0.002, "decay": 1.0, "patience": 30, "pull": 0.0, "copies": 1, "average": "weights", "unlabelled": 0.0, "near_rules": false, "seed": 2, "device": "cpu", "threads": 1}, "threads": 1, "task": "slots", "aim": "reading"}','{"model": "/srv/re2nn/models/train-9e4a50363b894698", "device": "cpu", "epochs": 30, "best_epoch": 13, "train_size": 29, "zero_shot": {"dev": 0.8000000000000002, "test": 0.5}, "dev": 1.0, "test": 0.888888888888889, "test_scores": {"precision": 1.0, "recall": 0.8, "f1": 0.888888888888889, "support": 10, "found": 8, "right": 8}, "recipe": "29 training texts; 7 dev texts decide when to stop; the rules'' network alone.", "vectors": "builtin", "parameters": 1727, "notes": [], "from_dev": 0, "figures": [{"name": "dev", "untrained": 0.8000000000000002, "trained": 1.0, "near_rules": null}, {"name": "test", "untrained": 0.5, "trained": 0.888888888888889, "near_rules": null}], "accuracy": 1.0, "policy": "every", "waiting": 0}',1.0,NULL,4321,'studio','2026-11-25 06:29:14.927645',0,'2026-11-25 06:29:13.615583','2026-11-25 06:29:13.622815','2026-11-25 06:29:14.948973','train-9e4a50363b894698');
CREATE TABLE run_point (
	run_id INTEGER NOT NULL, 
	step INTEGER NOT NULL, 
	metrics JSON NOT NULL, 
	PRIMARY KEY (run_id, step), 
	FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);
INSERT INTO "run_point" VALUES(1,0,'{"epoch": 0, "loss": 0.0, "train": 0.8533333333333334, "dev": 0.8533333333333334, "dev_loss": 0.5046093042691548, "seconds": 0.019063696999864987, "kept": 0, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,1,'{"epoch": 1, "loss": 0.4713567298154036, "train": 0.8533333333333334, "dev": 0.8533333333333334, "dev_loss": 0.305255286693573, "seconds": 0.06024445600041872, "kept": 1, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,2,'{"epoch": 2, "loss": 0.19095640162626903, "train": 1.0, "dev": 0.9866666666666667, "dev_loss": 0.160673854748408, "seconds": 0.04916485100011414, "kept": 2, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,3,'{"epoch": 3, "loss": 0.0904181898633639, "train": 1.0, "dev": 0.9866666666666667, "dev_loss": 0.10843296955029169, "seconds": 0.08122863400035385, "kept": 3, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,4,'{"epoch": 4, "loss": 0.03741539003948371, "train": 1.0, "dev": 0.9866666666666667, "dev_loss": 0.09970821633934975, "seconds": 0.05559642999969583, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,5,'{"epoch": 5, "loss": 0.012263761510451636, "train": 1.0, "dev": 0.9733333333333334, "dev_loss": 0.12776847839355468, "seconds": 0.03297126500001468, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,6,'{"epoch": 6, "loss": 0.010093317534774542, "train": 1.0, "dev": 0.9333333333333333, "dev_loss": 0.1945420386393865, "seconds": 0.04031846499992753, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,7,'{"epoch": 7, "loss": 0.007681847500304381, "train": 1.0, "dev": 0.9333333333333333, "dev_loss": 0.24960720539093018, "seconds": 0.03423121800028639, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,8,'{"epoch": 8, "loss": 0.004775030616049965, "train": 1.0, "dev": 0.92, "dev_loss": 0.26761323650678, "seconds": 0.035495869999977, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,9,'{"epoch": 9, "loss": 0.00367161026224494, "train": 1.0, "dev": 0.92, "dev_loss": 0.2997416583697001, "seconds": 0.03812573199979852, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,10,'{"epoch": 10, "loss": 0.003099553749586145, "train": 1.0, "dev": 0.92, "dev_loss": 0.30492354234059654, "seconds": 0.03429503899997144, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,11,'{"epoch": 11, "loss": 0.0029038265688965718, "train": 1.0, "dev": 0.92, "dev_loss": 0.3033181329568227, "seconds": 0.029116687999703572, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,12,'{"epoch": 12, "loss": 0.002785971878717343, "train": 1.0, "dev": 0.92, "dev_loss": 0.3080833947658539, "seconds": 0.05091196600005787, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,13,'{"epoch": 13, "loss": 0.002724798178921143, "train": 1.0, "dev": 0.8933333333333333, "dev_loss": 0.3272713657220205, "seconds": 0.04066787800002203, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,14,'{"epoch": 14, "loss": 0.0027153034415096046, "train": 1.0, "dev": 0.8933333333333333, "dev_loss": 0.3520164267222087, "seconds": 0.05460559299990564, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,15,'{"epoch": 15, "loss": 0.0029098276576648156, "train": 1.0, "dev": 0.8933333333333333, "dev_loss": 0.3505053953329722, "seconds": 0.0390025329998025, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,16,'{"epoch": 16, "loss": 0.0026907288717726865, "train": 1.0, "dev": 0.88, "dev_loss": 0.3434045414129893, "seconds": 0.04060419899997214, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,17,'{"epoch": 17, "loss": 0.0032112043319890895, "train": 1.0, "dev": 0.88, "dev_loss": 0.3862433429559072, "seconds": 0.05216266100001121, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,18,'{"epoch": 18, "loss": 0.0060925964390238126, "train": 1.0, "dev": 0.88, "dev_loss": 0.459521355231603, "seconds": 0.08642430699978831, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,19,'{"epoch": 19, "loss": 0.00458732753371199, "train": 1.0, "dev": 0.88, "dev_loss": 0.49988826831181843, "seconds": 0.050704207000080714, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,20,'{"epoch": 20, "loss": 0.003975711964691679, "train": 1.0, "dev": 0.88, "dev_loss": 0.4382567818959554, "seconds": 0.04691102299989325, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,21,'{"epoch": 21, "loss": 0.0033869085243592657, "train": 1.0, "dev": 0.88, "dev_loss": 0.42390376687049863, "seconds": 0.04461408799988931, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,22,'{"epoch": 22, "loss": 0.0031834257083634535, "train": 1.0, "dev": 0.88, "dev_loss": 0.4840803527832031, "seconds": 0.059814108999717064, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,23,'{"epoch": 23, "loss": 0.0069629547620813055, "train": 1.0, "dev": 0.88, "dev_loss": 0.4673814344406128, "seconds": 0.06652184699987629, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,24,'{"epoch": 24, "loss": 0.007530512586236, "train": 1.0, "dev": 0.88, "dev_loss": 0.40269161105155943, "seconds": 0.04308065199984412, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,25,'{"epoch": 25, "loss": 0.007565256512413423, "train": 1.0, "dev": 0.88, "dev_loss": 0.4018520454565684, "seconds": 0.05045334700002968, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,26,'{"epoch": 26, "loss": 0.00948439223691821, "train": 1.0, "dev": 0.88, "dev_loss": 0.36513848145802813, "seconds": 0.04979004400001941, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,27,'{"epoch": 27, "loss": 0.009639250092829267, "train": 1.0, "dev": 0.88, "dev_loss": 0.36494332750638325, "seconds": 0.047134312000252976, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,28,'{"epoch": 28, "loss": 0.009258628273382783, "train": 1.0, "dev": 0.88, "dev_loss": 0.36532854557037353, "seconds": 0.05465676899962091, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,29,'{"epoch": 29, "loss": 0.010522102937102318, "train": 1.0, "dev": 0.88, "dev_loss": 0.39872001886367797, "seconds": 0.04874491399959879, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,30,'{"epoch": 30, "loss": 0.011803409388909737, "train": 1.0, "dev": 0.88, "dev_loss": 0.40159195780754087, "seconds": 0.048304136000069775, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,31,'{"epoch": 31, "loss": 0.011324624021848043, "train": 1.0, "dev": 0.88, "dev_loss": 0.4061564222971598, "seconds": 0.05900227799975255, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,32,'{"epoch": 32, "loss": 0.012037268908073506, "train": 1.0, "dev": 0.88, "dev_loss": 0.4064074969291687, "seconds": 0.09889314799966087, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,33,'{"epoch": 33, "loss": 0.012157964644332726, "train": 1.0, "dev": 0.88, "dev_loss": 0.4063377908865611, "seconds": 0.06095900700006496, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,34,'{"epoch": 34, "loss": 0.01228359976162513, "train": 1.0, "dev": 0.88, "dev_loss": 0.4062964610258738, "seconds": 0.06396000299992011, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,35,'{"epoch": 35, "loss": 0.012402384815116723, "train": 1.0, "dev": 0.88, "dev_loss": 0.39852272391319277, "seconds": 0.05074257799992665, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,36,'{"epoch": 36, "loss": 0.01084409906839331, "train": 1.0, "dev": 0.88, "dev_loss": 0.39752838492393494, "seconds": 0.08934170899988203, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,37,'{"epoch": 37, "loss": 0.010499959792941809, "train": 1.0, "dev": 0.88, "dev_loss": 0.43487986564636233, "seconds": 0.07392731300001287, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,38,'{"epoch": 38, "loss": 0.011948195174336434, "train": 1.0, "dev": 0.88, "dev_loss": 0.4348765766620636, "seconds": 0.0928226859998631, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,39,'{"epoch": 39, "loss": 0.01206714109207193, "train": 1.0, "dev": 0.88, "dev_loss": 0.43487470706303916, "seconds": 0.05667452299985598, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,40,'{"epoch": 40, "loss": 0.012190499945233265, "train": 1.0, "dev": 0.88, "dev_loss": 0.4348736214637756, "seconds": 0.06797316900019723, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,41,'{"epoch": 41, "loss": 0.012301394678652287, "train": 1.0, "dev": 0.88, "dev_loss": 0.43487303256988524, "seconds": 0.03926351299992348, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,42,'{"epoch": 42, "loss": 0.012426194716244936, "train": 1.0, "dev": 0.88, "dev_loss": 0.43487268646558125, "seconds": 0.055424958999765295, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,43,'{"epoch": 43, "loss": 0.012549483751257261, "train": 1.0, "dev": 0.88, "dev_loss": 0.4348725354671478, "seconds": 0.042365703000086796, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(1,44,'{"epoch": 44, "loss": 0.013694453407078982, "train": 1.0, "dev": 0.88, "dev_loss": 0.39849785844484964, "seconds": 0.1506035709999196, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(3,0,'{"at": 0.0, "seed": 0, "texts": 0, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": null, "seconds": 0.0}');
INSERT INTO "run_point" VALUES(3,1,'{"at": 0.3, "seed": 0, "texts": 15, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": null, "seconds": 1.05}');
INSERT INTO "run_point" VALUES(3,2,'{"at": 0.3, "seed": 1, "texts": 15, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": null, "seconds": 0.98}');
INSERT INTO "run_point" VALUES(3,3,'{"at": 1.0, "seed": 0, "texts": 51, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": null, "seconds": 1.64}');
INSERT INTO "run_point" VALUES(3,4,'{"at": 1.0, "seed": 1, "texts": 51, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": null, "seconds": 1.57}');
INSERT INTO "run_point" VALUES(4,0,'{"at": 0.0, "seed": 0, "texts": 0, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": null, "seconds": 0.0}');
INSERT INTO "run_point" VALUES(4,1,'{"at": 0.3, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.89}');
INSERT INTO "run_point" VALUES(4,2,'{"at": 0.5, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.88}');
INSERT INTO "run_point" VALUES(4,3,'{"at": 0.7, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.78}');
INSERT INTO "run_point" VALUES(4,4,'{"at": 1.0, "seed": 0, "texts": 51, "main": 87.5, "beside": 87.5, "precision": 90.0, "recall": 87.5, "untrained": 87.5, "seconds": 0.87}');
INSERT INTO "run_point" VALUES(4,5,'{"at": null, "seed": 0, "texts": 51, "main": 100.0, "beside": 100.0, "precision": 100.0, "recall": 100.0, "untrained": 87.5, "seconds": 0.79}');
INSERT INTO "run_point" VALUES(5,0,'{"system": "rules", "texts": 0, "seed": 0, "value": 87.5, "seconds": 0.0, "vectors": "none", "code": "0.1.0, commit 81867fc"}');
INSERT INTO "run_point" VALUES(5,1,'{"system": "reading", "texts": 20, "seed": 0, "value": 100.0, "seconds": 4.51, "vectors": "all-MiniLM-L6-v2", "code": "0.1.0, commit 81867fc"}');
INSERT INTO "run_point" VALUES(5,2,'{"system": "dan", "texts": 20, "seed": 0, "value": 87.5, "seconds": 0.45, "vectors": "all-MiniLM-L6-v2", "code": "0.1.0, commit 81867fc"}');
INSERT INTO "run_point" VALUES(6,0,'{"epoch": 0, "loss": 0.0, "train": 0.8533333333333334, "dev": 0.8533333333333334, "dev_loss": 0.5046093042691548, "seconds": 0.004934623000281135, "kept": 0, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,1,'{"epoch": 1, "loss": 0.4870727402716875, "train": 0.8533333333333334, "dev": 0.8533333333333334, "dev_loss": 0.3931418045361837, "seconds": 0.05673879300002227, "kept": 1, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,2,'{"epoch": 2, "loss": 0.3072795210282008, "train": 0.9066666666666666, "dev": 0.92, "dev_loss": 0.2146669828891754, "seconds": 0.053681791000144585, "kept": 2, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,3,'{"epoch": 3, "loss": 0.18520381112893422, "train": 1.0, "dev": 0.9866666666666667, "dev_loss": 0.1628835246960322, "seconds": 0.0517790930002775, "kept": 3, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,4,'{"epoch": 4, "loss": 0.08573098709185918, "train": 1.0, "dev": 0.9866666666666667, "dev_loss": 0.09653437435626984, "seconds": 0.052532115000076374, "kept": 4, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,5,'{"epoch": 5, "loss": 0.01965761649111907, "train": 1.0, "dev": 0.9866666666666667, "dev_loss": 0.0925911242266496, "seconds": 0.05500298000015391, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,6,'{"epoch": 6, "loss": 0.011949192186196646, "train": 1.0, "dev": 0.9866666666666667, "dev_loss": 0.09771932348608971, "seconds": 0.05591854400017837, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,7,'{"epoch": 7, "loss": 0.010510781705379486, "train": 1.0, "dev": 0.9733333333333334, "dev_loss": 0.11065289909640948, "seconds": 0.06382766500018988, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,8,'{"epoch": 8, "loss": 0.009711828858902058, "train": 1.0, "dev": 0.9733333333333334, "dev_loss": 0.14147484322388967, "seconds": 0.0496631350001735, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,9,'{"epoch": 9, "loss": 0.007563650819162528, "train": 1.0, "dev": 0.9333333333333333, "dev_loss": 0.19753477414449055, "seconds": 0.03607560699970236, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,10,'{"epoch": 10, "loss": 0.005406688504541914, "train": 1.0, "dev": 0.9333333333333333, "dev_loss": 0.22116826554139454, "seconds": 0.04009566500008077, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,11,'{"epoch": 11, "loss": 0.00384657792126139, "train": 1.0, "dev": 0.92, "dev_loss": 0.23116092125574747, "seconds": 0.03813121100006356, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,12,'{"epoch": 12, "loss": 0.003581038676202297, "train": 1.0, "dev": 0.92, "dev_loss": 0.24952136675516765, "seconds": 0.040265441999963514, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,13,'{"epoch": 13, "loss": 0.0033639988396316767, "train": 1.0, "dev": 0.9066666666666666, "dev_loss": 0.25284260272979736, "seconds": 0.037764162000257784, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,14,'{"epoch": 14, "loss": 0.0031904982992758354, "train": 1.0, "dev": 0.9066666666666666, "dev_loss": 0.26894922733306886, "seconds": 0.039979216999654454, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,15,'{"epoch": 15, "loss": 0.003079122907171647, "train": 1.0, "dev": 0.9066666666666666, "dev_loss": 0.2867765323321025, "seconds": 0.030358295999803886, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,16,'{"epoch": 16, "loss": 0.0030265260580927132, "train": 1.0, "dev": 0.9066666666666666, "dev_loss": 0.30593730648358664, "seconds": 0.05059939999978269, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(6,17,'{"epoch": 17, "loss": 0.002979926709085703, "train": 1.0, "dev": 0.9066666666666666, "dev_loss": 0.31890536268552144, "seconds": 0.04313080599990826, "kept": 5, "dev_name": "dev, held out"}');
INSERT INTO "run_point" VALUES(7,0,'{"epoch": 0, "loss": 0.0, "train": 0.6486486486486485, "dev": 0.8000000000000002, "dev_loss": 6.908063616071429, "seconds": 0.008669647000033365, "kept": 0, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,1,'{"epoch": 1, "loss": 7.874318073535788, "train": 0.6666666666666667, "dev": 0.8000000000000002, "dev_loss": 6.711456298828125, "seconds": 0.027185515999917698, "kept": 1, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,2,'{"epoch": 2, "loss": 7.588484270819302, "train": 0.7126436781609196, "dev": 0.8000000000000002, "dev_loss": 6.196158272879464, "seconds": 0.0218070720002288, "kept": 2, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,3,'{"epoch": 3, "loss": 6.896524947265099, "train": 0.7555555555555556, "dev": 0.9090909090909091, "dev_loss": 5.359208243233817, "seconds": 0.01981004699996447, "kept": 3, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,4,'{"epoch": 4, "loss": 5.7072986569897886, "train": 0.7555555555555556, "dev": 0.9090909090909091, "dev_loss": 3.957014901297433, "seconds": 0.0230328699999518, "kept": 4, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,5,'{"epoch": 5, "loss": 3.6816906682376205, "train": 0.8148148148148148, "dev": 1.0, "dev_loss": 1.7609492710658483, "seconds": 0.0276231270001972, "kept": 5, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,6,'{"epoch": 6, "loss": 2.38978491980454, "train": 0.591549295774648, "dev": 0.7499999999999999, "dev_loss": 1.1169372286115373, "seconds": 0.028202923999970153, "kept": 5, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,7,'{"epoch": 7, "loss": 1.6022755030927986, "train": 0.8095238095238095, "dev": 1.0, "dev_loss": 0.6303834915161133, "seconds": 0.02050890700002128, "kept": 7, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,8,'{"epoch": 8, "loss": 0.9339727707977953, "train": 0.7906976744186046, "dev": 1.0, "dev_loss": 0.382711546761649, "seconds": 0.019724396000128763, "kept": 8, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,9,'{"epoch": 9, "loss": 0.633125741420121, "train": 0.9302325581395349, "dev": 1.0, "dev_loss": 0.257650511605399, "seconds": 0.018978256999844234, "kept": 9, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,10,'{"epoch": 10, "loss": 0.3490756855442606, "train": 1.0, "dev": 1.0, "dev_loss": 0.16570224080766952, "seconds": 0.018842622000192932, "kept": 10, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,11,'{"epoch": 11, "loss": 0.23865983609495492, "train": 1.0, "dev": 1.0, "dev_loss": 0.0957474878856114, "seconds": 0.021894385000223338, "kept": 11, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,12,'{"epoch": 12, "loss": 0.45032898805521687, "train": 0.9767441860465117, "dev": 1.0, "dev_loss": 0.11482936995370048, "seconds": 0.024137190000146802, "kept": 11, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,13,'{"epoch": 13, "loss": 0.4236823155962188, "train": 0.9767441860465117, "dev": 1.0, "dev_loss": 0.08256658485957555, "seconds": 0.028246316000149818, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,14,'{"epoch": 14, "loss": 0.42478817110431605, "train": 1.0, "dev": 0.8000000000000002, "dev_loss": 0.26558564390454975, "seconds": 0.023105694999912885, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,15,'{"epoch": 15, "loss": 0.13841268542254792, "train": 0.888888888888889, "dev": 0.5, "dev_loss": 1.992077146257673, "seconds": 0.01934361300004639, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,16,'{"epoch": 16, "loss": 0.7524651574163601, "train": 0.909090909090909, "dev": 0.7272727272727272, "dev_loss": 0.8001652445111956, "seconds": 0.019690373000003092, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,17,'{"epoch": 17, "loss": 0.9360048242940985, "train": 0.6346153846153847, "dev": 0.6666666666666666, "dev_loss": 1.1665285655430384, "seconds": 0.018922150999969745, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,18,'{"epoch": 18, "loss": 2.4657707787279426, "train": 0.6262626262626264, "dev": 0.8333333333333333, "dev_loss": 2.2842982155936107, "seconds": 0.020877257000165628, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,19,'{"epoch": 19, "loss": 4.132405537469634, "train": 0.5544554455445543, "dev": 0.7142857142857143, "dev_loss": 3.842084067208426, "seconds": 0.029500577000362682, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,20,'{"epoch": 20, "loss": 5.8447242454978925, "train": 0.5473684210526316, "dev": 0.6153846153846155, "dev_loss": 5.026536124093192, "seconds": 0.02307096200001979, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,21,'{"epoch": 21, "loss": 6.761567726988217, "train": 0.5137614678899082, "dev": 0.5714285714285714, "dev_loss": 4.336109706333706, "seconds": 0.02448232699998698, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,22,'{"epoch": 22, "loss": 6.964934399415707, "train": 0.4117647058823529, "dev": 0.5714285714285714, "dev_loss": 4.167646135602679, "seconds": 0.022987345000046844, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,23,'{"epoch": 23, "loss": 6.414945339334422, "train": 0.37037037037037035, "dev": 0.4615384615384615, "dev_loss": 5.2807126726422995, "seconds": 0.034070527000039874, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,24,'{"epoch": 24, "loss": 6.272669768538968, "train": 0.37735849056603776, "dev": 0.3333333333333333, "dev_loss": 5.548619951520648, "seconds": 0.03101233300003514, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,25,'{"epoch": 25, "loss": 5.6287498124714554, "train": 0.36000000000000004, "dev": 0.3333333333333333, "dev_loss": 4.874350411551339, "seconds": 0.030030782000039835, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,26,'{"epoch": 26, "loss": 4.8496799756740705, "train": 0.4329896907216495, "dev": 0.5263157894736842, "dev_loss": 4.285348619733538, "seconds": 0.029976219999980458, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,27,'{"epoch": 27, "loss": 5.788225596834874, "train": 0.38383838383838376, "dev": 0.3157894736842105, "dev_loss": 5.756193433489118, "seconds": 0.03512679699997534, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,28,'{"epoch": 28, "loss": 6.385839846113632, "train": 0.40404040404040403, "dev": 0.3157894736842105, "dev_loss": 5.737322126116071, "seconds": 0.035151503999713896, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,29,'{"epoch": 29, "loss": 6.140951197209029, "train": 0.37999999999999995, "dev": 0.3157894736842105, "dev_loss": 5.901591709681919, "seconds": 0.03828904700003477, "kept": 13, "dev_name": "dev"}');
INSERT INTO "run_point" VALUES(7,30,'{"epoch": 30, "loss": 6.77018626393943, "train": 0.4242424242424242, "dev": 0.3157894736842105, "dev_loss": 6.016090393066406, "seconds": 0.03076953799995863, "kept": 13, "dev_name": "dev"}');
CREATE TABLE schema_version (
	version INTEGER NOT NULL, 
	PRIMARY KEY (version)
);
INSERT INTO "schema_version" VALUES(9);
CREATE TABLE seat (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	project_id INTEGER NOT NULL, 
	text_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	assigned VARCHAR(100) NOT NULL, 
	holder VARCHAR(100), 
	held_until DATETIME, 
	done BOOLEAN NOT NULL, 
	closed BOOLEAN DEFAULT 0 NOT NULL, 
	FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE, 
	FOREIGN KEY(text_id) REFERENCES text (id) ON DELETE CASCADE
);
INSERT INTO "seat" VALUES(1,1,2,0,'Ann',NULL,NULL,0,0);
INSERT INTO "seat" VALUES(2,1,2,0,'Bob',NULL,NULL,0,0);
INSERT INTO "seat" VALUES(3,1,3,1,'Bob',NULL,NULL,0,0);
INSERT INTO "seat" VALUES(4,1,3,1,'Ann',NULL,NULL,0,0);
CREATE TABLE sign_in (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	account_id INTEGER NOT NULL, 
	ticket VARCHAR(64), 
	token VARCHAR(64), 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME NOT NULL, 
	FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE, 
	UNIQUE (ticket), 
	UNIQUE (token)
);
CREATE TABLE text (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	project_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	gold TEXT, 
	split VARCHAR(10), 
	label TEXT, 
	annotator VARCHAR(100), 
	decided BOOLEAN DEFAULT 0 NOT NULL, 
	UNIQUE (project_id, position), 
	FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
INSERT INTO "text" VALUES(1,1,0,'i want to fly to boston','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(2,1,1,'a flight to boston please','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(3,1,2,'planes to boston today','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(4,1,3,'show flights to boston','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(5,1,4,'what is the fare to boston','money','train','money',NULL,0);
INSERT INTO "text" VALUES(6,1,5,'how much to boston','money','train','money',NULL,0);
INSERT INTO "text" VALUES(7,1,6,'the cost of boston please','money','train','money',NULL,0);
INSERT INTO "text" VALUES(8,1,7,'price of a flight to boston','money','train','money',NULL,0);
INSERT INTO "text" VALUES(9,1,8,'i want to fly to oslo','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(10,1,9,'a flight to oslo please','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(11,1,10,'planes to oslo today','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(12,1,11,'show flights to oslo','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(13,1,12,'what is the fare to oslo','money','train','money',NULL,0);
INSERT INTO "text" VALUES(14,1,13,'how much to oslo','money','train','money',NULL,0);
INSERT INTO "text" VALUES(15,1,14,'the cost of oslo please','money','train','money',NULL,0);
INSERT INTO "text" VALUES(16,1,15,'price of a flight to oslo','money','train','money',NULL,0);
INSERT INTO "text" VALUES(17,1,16,'i want to fly to paris','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(18,1,17,'a flight to paris please','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(19,1,18,'planes to paris today','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(20,1,19,'show flights to paris','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(21,1,20,'what is the fare to paris','money','train','money',NULL,0);
INSERT INTO "text" VALUES(22,1,21,'how much to paris','money','train','money',NULL,0);
INSERT INTO "text" VALUES(23,1,22,'the cost of paris please','money','train','money',NULL,0);
INSERT INTO "text" VALUES(24,1,23,'price of a flight to paris','money','train','money',NULL,0);
INSERT INTO "text" VALUES(25,1,24,'i want to fly to rome','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(26,1,25,'a flight to rome please','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(27,1,26,'planes to rome today','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(28,1,27,'show flights to rome','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(29,1,28,'what is the fare to rome','money','train','money',NULL,0);
INSERT INTO "text" VALUES(30,1,29,'how much to rome','money','train','money',NULL,0);
INSERT INTO "text" VALUES(31,1,30,'the cost of rome please','money','train','money',NULL,0);
INSERT INTO "text" VALUES(32,1,31,'price of a flight to rome','money','train','money',NULL,0);
INSERT INTO "text" VALUES(33,1,32,'i want to fly to vienna','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(34,1,33,'a flight to vienna please','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(35,1,34,'planes to vienna today','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(36,1,35,'show flights to vienna','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(37,1,36,'what is the fare to vienna','money','train','money',NULL,0);
INSERT INTO "text" VALUES(38,1,37,'how much to vienna','money','train','money',NULL,0);
INSERT INTO "text" VALUES(39,1,38,'the cost of vienna please','money','train','money',NULL,0);
INSERT INTO "text" VALUES(40,1,39,'price of a flight to vienna','money','train','money',NULL,0);
INSERT INTO "text" VALUES(41,1,40,'i want to fly to lisbon','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(42,1,41,'a flight to lisbon please','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(43,1,42,'planes to lisbon today','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(44,1,43,'show flights to lisbon','travel','train','travel',NULL,0);
INSERT INTO "text" VALUES(45,1,44,'what is the fare to lisbon','money','train','money',NULL,0);
INSERT INTO "text" VALUES(46,1,45,'how much to lisbon','money','train','money',NULL,0);
INSERT INTO "text" VALUES(47,1,46,'the cost of lisbon please','money','train','money',NULL,0);
INSERT INTO "text" VALUES(48,1,47,'price of a flight to lisbon','money','train','money',NULL,0);
INSERT INTO "text" VALUES(49,1,48,'i want to fly to cairo','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(50,1,49,'a flight to cairo please','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(51,1,50,'planes to cairo today','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(52,1,51,'show flights to cairo','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(53,1,52,'what is the fare to cairo','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(54,1,53,'how much to cairo','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(55,1,54,'the cost of cairo please','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(56,1,55,'price of a flight to cairo','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(57,1,56,'i want to fly to quito','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(58,1,57,'a flight to quito please','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(59,1,58,'planes to quito today','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(60,1,59,'show flights to quito','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(61,1,60,'what is the fare to quito','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(62,1,61,'how much to quito','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(63,1,62,'the cost of quito please','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(64,1,63,'price of a flight to quito','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(65,1,64,'i want to fly to madrid','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(66,1,65,'a flight to madrid please','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(67,1,66,'planes to madrid today','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(68,1,67,'show flights to madrid','travel','dev','travel',NULL,0);
INSERT INTO "text" VALUES(69,1,68,'what is the fare to madrid','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(70,1,69,'how much to madrid','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(71,1,70,'the cost of madrid please','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(72,1,71,'price of a flight to madrid','money','dev','money',NULL,0);
INSERT INTO "text" VALUES(73,1,72,'i want to fly to athens','travel','test','travel',NULL,0);
INSERT INTO "text" VALUES(74,1,73,'a flight to athens please','travel','test','travel',NULL,0);
INSERT INTO "text" VALUES(75,1,74,'planes to athens today','travel','test','travel',NULL,0);
INSERT INTO "text" VALUES(76,1,75,'show flights to athens','travel','test','travel',NULL,0);
INSERT INTO "text" VALUES(77,1,76,'what is the fare to athens','money','test','money',NULL,0);
INSERT INTO "text" VALUES(78,1,77,'how much to athens','money','test','money',NULL,0);
INSERT INTO "text" VALUES(79,1,78,'the cost of athens please','money','test','money',NULL,0);
INSERT INTO "text" VALUES(80,1,79,'price of a flight to athens','money','test','money',NULL,0);
INSERT INTO "text" VALUES(81,1,80,'the cost of planes',NULL,'train','money','Cléo',1);
INSERT INTO "text" VALUES(82,1,81,'flights and fares to oslo',NULL,'train','money','Ann',0);
INSERT INTO "text" VALUES(83,1,82,'Ärger mit dem Flug',NULL,NULL,'travel','Bob',0);
INSERT INTO "text" VALUES(84,2,0,'a flight to boston on monday','[[12,18,"to_city"],[22,28,"day"]]','train','[[12,18,"to_city"],[22,28,"day"]]',NULL,0);
INSERT INTO "text" VALUES(85,2,1,'from boston to new york please','[[5,11,"from_city"],[15,23,"to_city"]]','train','[[5,11,"from_city"],[15,23,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(86,2,2,'on foot to boston','[[11,17,"to_city"]]','train','[[11,17,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(87,2,3,'a flight to boston on friday','[[12,18,"to_city"],[22,28,"day"]]','train','[[12,18,"to_city"],[22,28,"day"]]',NULL,0);
INSERT INTO "text" VALUES(88,2,4,'from boston to new york please','[[5,11,"from_city"],[15,23,"to_city"]]','train','[[5,11,"from_city"],[15,23,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(89,2,5,'on foot to boston','[[11,17,"to_city"]]','train','[[11,17,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(90,2,6,'good morning','[]','train','[]',NULL,0);
INSERT INTO "text" VALUES(91,2,7,'a flight to oslo on monday','[[12,16,"to_city"],[20,26,"day"]]','dev','[[12,16,"to_city"],[20,26,"day"]]',NULL,0);
INSERT INTO "text" VALUES(92,2,8,'from oslo to vienna please','[[5,9,"from_city"],[13,19,"to_city"]]','dev','[[5,9,"from_city"],[13,19,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(93,2,9,'on foot to oslo','[[11,15,"to_city"]]','dev','[[11,15,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(94,2,10,'a flight to oslo on friday','[[12,16,"to_city"],[20,26,"day"]]','dev','[[12,16,"to_city"],[20,26,"day"]]',NULL,0);
INSERT INTO "text" VALUES(95,2,11,'from oslo to vienna please','[[5,9,"from_city"],[13,19,"to_city"]]','dev','[[5,9,"from_city"],[13,19,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(96,2,12,'on foot to oslo','[[11,15,"to_city"]]','dev','[[11,15,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(97,2,13,'good morning','[]','dev','[]',NULL,0);
INSERT INTO "text" VALUES(98,2,14,'a flight to paris on monday','[[12,17,"to_city"],[21,27,"day"]]','train','[[12,17,"to_city"],[21,27,"day"]]',NULL,0);
INSERT INTO "text" VALUES(99,2,15,'from paris to lisbon please','[[5,10,"from_city"],[14,20,"to_city"]]','train','[[5,10,"from_city"],[14,20,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(100,2,16,'on foot to paris','[[11,16,"to_city"]]','train','[[11,16,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(101,2,17,'a flight to paris on friday','[[12,17,"to_city"],[21,27,"day"]]','train','[[12,17,"to_city"],[21,27,"day"]]',NULL,0);
INSERT INTO "text" VALUES(102,2,18,'from paris to lisbon please','[[5,10,"from_city"],[14,20,"to_city"]]','train','[[5,10,"from_city"],[14,20,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(103,2,19,'on foot to paris','[[11,16,"to_city"]]','train','[[11,16,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(104,2,20,'good morning','[]','train','[]',NULL,0);
INSERT INTO "text" VALUES(105,2,21,'a flight to new york on monday','[[12,20,"to_city"],[24,30,"day"]]','train','[[12,20,"to_city"],[24,30,"day"]]',NULL,0);
INSERT INTO "text" VALUES(106,2,22,'from new york to boston please','[[5,13,"from_city"],[17,23,"to_city"]]','train','[[5,13,"from_city"],[17,23,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(107,2,23,'on foot to new york','[[11,19,"to_city"]]','train','[[11,19,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(108,2,24,'a flight to new york on friday','[[12,20,"to_city"],[24,30,"day"]]','train','[[12,20,"to_city"],[24,30,"day"]]',NULL,0);
INSERT INTO "text" VALUES(109,2,25,'from new york to boston please','[[5,13,"from_city"],[17,23,"to_city"]]','train','[[5,13,"from_city"],[17,23,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(110,2,26,'on foot to new york','[[11,19,"to_city"]]','train','[[11,19,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(111,2,27,'good morning','[]','train','[]',NULL,0);
INSERT INTO "text" VALUES(112,2,28,'a flight to vienna on monday','[[12,18,"to_city"],[22,28,"day"]]','test','[[12,18,"to_city"],[22,28,"day"]]',NULL,0);
INSERT INTO "text" VALUES(113,2,29,'from vienna to oslo please','[[5,11,"from_city"],[15,19,"to_city"]]','test','[[5,11,"from_city"],[15,19,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(114,2,30,'on foot to vienna','[[11,17,"to_city"]]','test','[[11,17,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(115,2,31,'a flight to vienna on friday','[[12,18,"to_city"],[22,28,"day"]]','test','[[12,18,"to_city"],[22,28,"day"]]',NULL,0);
INSERT INTO "text" VALUES(116,2,32,'from vienna to oslo please','[[5,11,"from_city"],[15,19,"to_city"]]','test','[[5,11,"from_city"],[15,19,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(117,2,33,'on foot to vienna','[[11,17,"to_city"]]','test','[[11,17,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(118,2,34,'good morning','[]','test','[]',NULL,0);
INSERT INTO "text" VALUES(119,2,35,'a flight to lisbon on monday','[[12,18,"to_city"],[22,28,"day"]]','train','[[12,18,"to_city"],[22,28,"day"]]',NULL,0);
INSERT INTO "text" VALUES(120,2,36,'from lisbon to paris please','[[5,11,"from_city"],[15,20,"to_city"]]','train','[[5,11,"from_city"],[15,20,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(121,2,37,'on foot to lisbon','[[11,17,"to_city"]]','train','[[11,17,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(122,2,38,'a flight to lisbon on friday','[[12,18,"to_city"],[22,28,"day"]]','train','[[12,18,"to_city"],[22,28,"day"]]',NULL,0);
INSERT INTO "text" VALUES(123,2,39,'from lisbon to paris please','[[5,11,"from_city"],[15,20,"to_city"]]','train','[[5,11,"from_city"],[15,20,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(124,2,40,'on foot to lisbon','[[11,17,"to_city"]]','train','[[11,17,"to_city"]]',NULL,0);
INSERT INTO "text" VALUES(125,2,41,'good morning','[]','train','[]',NULL,0);
INSERT INTO "text" VALUES(126,2,42,'fly to vienna on sunday',NULL,'train','[[7,13,"to_city"],[17,23,"day"]]','Bob',0);
CREATE INDEX text_by_label ON text (project_id, label);
CREATE INDEX sign_in_of_account ON sign_in (account_id);
CREATE INDEX event_of_text ON event (text_id, id);
CREATE INDEX event_of_person ON event (project_id, person, id);
CREATE INDEX event_of_project ON event (project_id, id);
CREATE INDEX seat_of_holder ON seat (project_id, holder, held_until);
CREATE INDEX seat_open ON seat (project_id, assigned, place, id) WHERE done = 0 AND closed = 0;
CREATE UNIQUE INDEX seat_of_text ON seat (text_id, holder);
CREATE INDEX run_by_state ON run (state);
CREATE INDEX run_of_project ON run (project_id, id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('project',2);
INSERT INTO "sqlite_sequence" VALUES('event',37);
INSERT INTO "sqlite_sequence" VALUES('text',126);
INSERT INTO "sqlite_sequence" VALUES('rule_version',4);
INSERT INTO "sqlite_sequence" VALUES('seat',4);
INSERT INTO "sqlite_sequence" VALUES('run',7);
COMMIT;
