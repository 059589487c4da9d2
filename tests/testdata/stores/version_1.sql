BEGIN TRANSACTION;
CREATE TABLE label_event (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	project_id INTEGER NOT NULL, 
	text_id INTEGER NOT NULL, 
	label VARCHAR(200) NOT NULL, 
	annotator VARCHAR(100) NOT NULL, 
	action VARCHAR(10) NOT NULL, 
	batch VARCHAR(32) NOT NULL, 
	undoes INTEGER, 
	created_at DATETIME NOT NULL, 
	FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE, 
	FOREIGN KEY(text_id) REFERENCES text (id) ON DELETE CASCADE, 
	UNIQUE (undoes), 
	FOREIGN KEY(undoes) REFERENCES label_event (id) ON DELETE CASCADE
);
INSERT INTO "label_event" VALUES(1,1,1,'fare','Ann','label','cc1d07c34f804318a21062ce9a6fdb61',NULL,'2026-11-22 02:40:44.173359');
INSERT INTO "label_event" VALUES(2,1,2,'meal','Bob','label','d214696103c44a9c85d3bdbd7fdc716a',NULL,'2026-11-22 02:40:44.213874');
INSERT INTO "label_event" VALUES(3,1,3,'ground','Bob','label','d214696103c44a9c85d3bdbd7fdc716a',NULL,'2026-11-22 02:40:44.213874');
INSERT INTO "label_event" VALUES(4,1,3,'flight','Ann','label','ab31b55e018e46978c4dd9e345f9fe57',NULL,'2026-11-22 02:40:44.237691');
INSERT INTO "label_event" VALUES(5,1,3,'flight','Ann','undo','7066042a8fe24cefab081302dbc59501',4,'2026-11-22 02:40:44.275112');
INSERT INTO "label_event" VALUES(6,1,5,'flight','Cléo','label','32d1f03eecdf418490832f70ab7fc3c2',NULL,'2026-11-22 02:40:44.329650');
CREATE TABLE project (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name VARCHAR(200) NOT NULL, 
	name_key VARCHAR(600) NOT NULL, 
	task VARCHAR(40) NOT NULL, 
	description TEXT NOT NULL, 
	tokenizer VARCHAR(40) NOT NULL, 
	lowercase BOOLEAN NOT NULL, 
	sample VARCHAR(200), 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	UNIQUE (name_key)
);
INSERT INTO "project" VALUES(1,'Trips','trips','classification','','whitespace',1,NULL,'2026-11-22 02:40:44.069222','2026-11-22 02:40:44.495367');
INSERT INTO "project" VALUES(2,'Empty','empty','classification','','whitespace',1,NULL,'2026-11-22 02:40:44.520462','2026-11-22 02:40:44.520462');
CREATE TABLE rule_version (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	project_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	rules_text TEXT NOT NULL, 
	logic_text TEXT NOT NULL, 
	author VARCHAR(100) NOT NULL, 
	message TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	UNIQUE (project_id, number), 
	FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
INSERT INTO "rule_version" VALUES(1,1,1,'[flight]
flights
','','Ann','First version','2026-11-22 02:40:44.129183');
INSERT INTO "rule_version" VALUES(2,1,2,'[flight]
$* flights $*
','default = "fare"
','Bob','wider','2026-11-22 02:40:44.354448');
INSERT INTO "rule_version" VALUES(3,2,1,'','','Ann','First version','2026-11-22 02:40:44.521878');
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
	accuracy DOUBLE, 
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
INSERT INTO "run" VALUES(1,1,'train',2,'done',0,0,'','{"rate": 0.5}','{"accuracy": 0.75}',0.75,NULL,1,'here','2026-11-22 02:40:44.452669',0,'2026-11-22 02:40:44.377831','2026-11-22 02:40:44.431148','2026-11-22 02:40:44.480746','train-cd0200b2ae2848ea');
INSERT INTO "run" VALUES(2,1,'train',NULL,'queued',0,0,'','{}',NULL,NULL,NULL,NULL,NULL,NULL,0,'2026-11-22 02:40:44.494549',NULL,NULL,'train-fdedb4c26d4341e7');
CREATE TABLE run_point (
	run_id INTEGER NOT NULL, 
	step INTEGER NOT NULL, 
	metrics JSON NOT NULL, 
	PRIMARY KEY (run_id, step), 
	FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);
INSERT INTO "run_point" VALUES(1,1,'{"loss": 0.5}');
CREATE TABLE schema_version (
	version INTEGER NOT NULL, 
	PRIMARY KEY (version)
);
INSERT INTO "schema_version" VALUES(1);
CREATE TABLE text (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	project_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	gold VARCHAR(200), 
	split VARCHAR(10), 
	label VARCHAR(200), 
	annotator VARCHAR(100), 
	UNIQUE (project_id, position), 
	FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
INSERT INTO "text" VALUES(1,1,0,'show me flights to boston','flight','train','fare','Ann');
INSERT INTO "text" VALUES(2,1,1,'what is the fare','fare','train','meal','Bob');
INSERT INTO "text" VALUES(3,1,2,'list ground transport',NULL,'dev','ground','Bob');
INSERT INTO "text" VALUES(4,1,3,'Ärger mit dem Flug','flight',NULL,'flight',NULL);
INSERT INTO "text" VALUES(5,1,4,'去 波士顿',NULL,'test','flight','Cléo');
CREATE INDEX text_by_label ON text (project_id, label);
CREATE INDEX label_event_of_person ON label_event (project_id, annotator, id);
CREATE INDEX label_event_of_batch ON label_event (batch);
CREATE INDEX label_event_of_text ON label_event (text_id, id);
CREATE INDEX run_by_state ON run (state);
CREATE INDEX run_of_project ON run (project_id, id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('project',2);
INSERT INTO "sqlite_sequence" VALUES('text',5);
INSERT INTO "sqlite_sequence" VALUES('rule_version',3);
INSERT INTO "sqlite_sequence" VALUES('label_event',6);
INSERT INTO "sqlite_sequence" VALUES('run',2);
COMMIT;
