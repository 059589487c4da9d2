"""The recurrent tagger FSTRNN: tags over states, CRF, bundles, parts of scores."""
