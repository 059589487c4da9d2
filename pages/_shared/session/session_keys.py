"""Every key of the session, and of widgets, with the page that it belongs to: one name, one thing.

A key with a star is the beginning of keys that go on with an id, a number or a name. A test reads all pages and fails
on a key that is not here, or that belongs to another page. What pages/_shared draws may have a key of the page that
asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from re2nn_core.text.joined_names import join_names

LABEL_ORDER = "label_order"  # which texts the page Label shows; other pages hand texts over by it

OWNERS: Mapping[str, str] = {
    "automaton": """
        _automaton_drawing_* _automaton_folded _certified_* _example_* _machine_{}_* _tags_{}_* _traced_*
        _typed_* certify get_dot
    """,
    "compare": """
        _compare_done_* _compare_drawn _compare_heard_* _compare_rule_of_*
        _compare_shown_* _compare_unseen
        _compare_version_rule _compare_view_of
        _fold_* _get_* _language_* _overlaps_* _own_sentence_* _sentences_* _shortest_*
        _steps_*
        _stopped_* _union_* _versions_* compare compare_accept compare_accept_gaining compare_again compare_cancel
        compare_edits compare_explore_* compare_head
        compare_learned compare_learned_* compare_leave_out compare_message_* compare_moving_*
        compare_new compare_new_all compare_new_reason_* compare_newest compare_no_weights compare_reason_*
        compare_review_* compare_rule_* compare_run_* compare_save compare_side_* compare_size_*
        compare_size_curve compare_slot_learned
        compare_slot_learned_* compare_slots compare_threshold_* compare_threshold_curve compare_threshold_look_*
        compare_threshold_reason_*
        compare_threshold_save compare_threshold_take_* compare_version_* compare_version_view compare_versions_*
        compare_use_network compare_view compare_weights compare_what_* compare_why_box compare_why_more slots_*
        versions
    """,
    "label": """
        _bench_* _bulk_seed _desk_* _label_name_asked _label_queue_* _marks_* _queue_preview _team_bench_* _team_desk_*
        bulk_accept bulk_again bulk_kind bulk_name_* bulk_sure_* label_* label_accept_* label_accept_many label_all_*
        label_back label_flag_* label_list_* label_list_answer label_list_kind label_list_least label_list_precise
        label_list_sure label_marks_* label_name label_name_line label_name_no label_next_flagged label_note_*
        label_opening label_reasons label_return_* label_same_* label_save_* label_search_* label_skip label_skip_*
        label_team_way label_undo label_undo_many label_way queue_blind queue_changed queue_close queue_closing
        queue_decided queue_minutes queue_newcomers queue_open queue_order queue_overlap queue_people queue_since_*
        queue_which
    """,
    "predict": """
        _predict_file predict predict_about_* predict_download predict_encoding predict_explain predict_explained
        predict_explanation predict_flip_* predict_format predict_header_* predict_label_* predict_labels predict_page_*
        predict_paste predict_paste_go predict_path_* predict_precision predict_reason predict_remove predict_search
        predict_send predict_slot_format predict_slots predict_spans predict_certainty predict_table_* predict_text_*
        predict_upload predict_view predict_way predict_whynot_*
    """,
    "projects": """
        _more_file_read _new_file_read _ready_download _texts_added _texts_added_round _unheld_texts create_*
        delete_* export_* format_* import leave_out_* more_* more_file_*
        name_* new_archive new_cut_* new_encoding new_file new_header_* new_hold_out_* new_label* new_lower_* new_name_*
        new_name_slots new_offsets_* new_paste new_rules_* new_slot_case new_strip_html new_split new_task_*
        new_task_paste new_label_key_* new_text_key_* new_text* open_* prepare_* rename_* sample_*
        slot_blanks_* slot_case_* sure_* texts_* re2_card_*
        new
    """,
    "results": """
        models_amounts models_cancel models_csv models_figure_* models_go_on models_ray models_seeds models_start
        models_systems models_which results_csv results_figure_* results_grid_* results_html results_json
        results_page_view results_rows results_source results_table results_view
    """,
    "rules": """
        _conflict_* _drop_* _merge_* _failing_* _forget_* _give_* _keep_* _rule_automaton_* _rule_list_* _rules_view_*
        _save_message_* _saved_from_* _sentence_* _sentence_fault_* _suggested_* _versions_shown conflict_merge
        conflict_overwrite conflict_theirs history_more plain_editor* re2_cards re2_row_* re2_row_proposal_*
        re2_row_text_* re2_row_v* re2_rows_* re2_rows_suggested_* re2_texts return_to_* rules_all rules_automaton
        rules_conflict rules_discard rules_accept_* rules_history rules_list_apply rules_list_chosen rules_list_column
        rules_list_file rules_download_logic rules_download_rules rules_like_apply_* rules_like_find
        rules_like_nearness_* rules_find rules_find_next rules_list_make rules_list_text_* rules_list_use
        rules_logic_default rules_logic_resolve rules_more
        rules_more_like rules_more_like_* rules_open rules_open_use rules_propose rules_rename_do rules_rename_new
        rules_rename_which rules_replace rules_replace_do rules_replace_one rules_restore rules_save rules_save_anyway
        rules_searched rules_select rules_select_* rules_name_unused_*
        rules_words
    """,
    "shared": """
        _bar_model_* _bar_person _bar_version_* _chosen_* _gate_passed _heard_* _help_all_* _help_keys _help_learn_*
        _help_open_* _help_query _help_topic _help_tour _jumps _land _messages _mirrored _permission _routed
        _rule_link_followed _rule_missing_* _rule_named _rule_saved_* _rule_seen_* _script_* _script_rule_links
        _script_words _selection_* _sign_in _sign_in_left _sign_in_seen _sign_in_ticket _strokes_* _tour_left
        _tour_step _undo_made _undo_moved account_former account_leave account_new help_open left_out_* model_card_*
        model_folder_* re2_bar re2_help re2_sign_in re2nn_kept_* re2nn_session re2nn_session_end sign_in_leave
        sign_in_name sign_in_password sign_in_provider tour tour_back tour_finish tour_hide tour_leave tour_next
        tour_offer tour_open tour_start version_*
    """,
    "team": """
        _people_new_password _review_* _review_fault_* _team_cell _team_log_pages people_copied people_email
        people_name people_new_password people_oidc people_out_* people_password_* people_remove_* people_role
        people_role_* review_again review_beside review_blind_* review_confirm_* review_confirming review_label_*
        review_later_* review_many_* review_marks_* review_other_* review_own_* review_side_* review_sides
        review_take_* review_undo team_agreement_csv team_differ team_differ_review team_least_* team_log_*
        team_log_chosen team_log_csv team_log_days team_log_kinds team_log_newer team_log_older team_log_review
        team_log_text team_log_who team_matrix_* team_matrix_csv team_measure team_policy_* team_policy_review
        team_policy_save team_rules team_time team_to_review team_unit team_view
    """,
    "train": """
        _edit_draft_* _slots_cell _slots_turn_* _train_objective_of train_* train_answers train_apply
        train_beside train_cancel train_confusion_* train_curve_* train_device train_discard train_go_on train_more
        train_more_view train_objective train_pair_better_* train_pair_label_* train_pair_slot_* train_pair_split
        train_pair_who_* train_rule_table train_rules_split train_run train_runs_* train_series_* train_slots_*
        train_slots_pair_split train_slots_split train_slots_view train_split train_start train_switches
        train_two_curves_* train_undo train_undo_here train_view train_waiting train_whose
        train_rule_on_* train_pair_*
    """,
}

# Keys that several pages use, for one and the same thing.
SEVERAL: Mapping[str, tuple[str, ...]] = {
    "_although_*": ("compare", "rules"),
    "_arcs_*": ("automaton", "compare"),
    "_draft_*": ("rules", "shared"),
    "get_*": ("automaton", "compare"),
    LABEL_ORDER: ("label", "shared"),
    "plain_editor": ("rules", "shared"),
    "re2_grid": ("label", "team"),
}

# Beginnings that look alike and never meet: what the first goes on with is a number.
APART = {("_versions_*", "_versions_shown")}


def registered() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each key with the pages that use it."""
    yield from SEVERAL.items()
    for page, keys in OWNERS.items():
        yield from ((key, (page,)) for key in keys.split())


def clashes(keys: Iterable[tuple[str, tuple[str, ...]]] | None = None) -> list[str]:
    """Keys of pages that have nothing in common and yet can be the same, in a sentence each."""
    entries = list(registered() if keys is None else keys)
    return sorted(
        f"{one} of {join_names(owners)} and {other} of {join_names(others)} can be the same key"
        for number, (one, owners) in enumerate(entries)
        for other, others in entries[number + 1 :]
        if not {*owners} & {*others} and _meet(one, other) and not {(one, other), (other, one)} & APART
    )


def _meet(one: str, other: str) -> bool:
    """Whether two keys, or beginnings of keys, can be the same."""
    first, second = one.removesuffix("*"), other.removesuffix("*")
    if one.endswith("*") and second.startswith(first):
        return True
    return first == second if not other.endswith("*") else first.startswith(second)
