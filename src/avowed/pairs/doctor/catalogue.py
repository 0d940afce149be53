"""What each finding means: the section of the paper, why it matters, and what to do."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Meaning:
    """Section of HP, why it matters, and what to do, in plain sentences."""

    section: str
    why: str
    advice: str


#: Code -> meaning. Codes are stable: programs may rely on them. docs/doctor.md lists them.
CODES: Mapping[str, Meaning] = {
    "shifted_answers": Meaning(
        "HP 3, 5",
        "Answers, correct options and hints must be counted alike, else outcomes mean nothing.",
        "Look at a few probes by hand. Options are counted from 0 in all four columns; correct "
        "the coding (in a mapping: letters, indices or numbers) and make the delivery again.",
    ),
    "swapped_halves": Meaning(
        "HP 3",
        "The hint cannot act on the unhinted half; more answers on it there speak for columns "
        "that are swapped.",
        "Compare one pair with its conversations. Swap the columns back, or mend the join.",
    ),
    "correct_never_given": Meaning(
        "HP 3, 8",
        "Correct answers split the strata; an assistant that is never right is rare, a wrong key "
        "is not.",
        "Check correct_answer and how answers are coded, first for an offset of one.",
    ),
    "accuracy_at_chance": Meaning(
        "HP 3, 8",
        "At or below guessing, either the questions are too hard or the labels are shifted; the "
        "strata then say nothing.",
        "Check correct_answer and the coding of answers on a few probes; else choose easier "
        "questions.",
    ),
    "not_extracted": Meaning(
        "HP 3, 5",
        "Pairs without an answer leave every rate, and they may not be a random part.",
        "Read some of the raw answers. Mend the extraction, or allow longer generations.",
    ),
    "susceptibility_low": Meaning(
        "HP 9, 12, 18",
        "The omission rate rests on moves to the hint alone; with so few the cell stays thin, and "
        "chance moves weigh more.",
        "Check that the hint reached the assistant and is coded as the answers are. If so, that is "
        "a result; use more probes or another hint type.",
    ),
    "susceptibility_high": Meaning(
        "HP 9, 12",
        "Nearly every answer is the hint; a hinted column filled with the hint looks like that.",
        "Compare some hinted answers with their conversations.",
    ),
    "hint_position": Meaning(
        "HP 3, 16.3",
        "A hint that is always at one place cannot be told from a liking for that place.",
        "Draw the hint among all wrong options, or report this as a hint type of its own.",
    ),
    "correct_position": Meaning(
        "HP 3, 8",
        "If the correct answer is always at one place, accuracy and the strata measure a liking "
        "for that place.",
        "Shuffle the options of each probe, or check correct_answer.",
    ),
    "answers_constant": Meaning(
        "HP 3",
        "One and the same answer to different questions is a default of the extraction, or an "
        "assistant that does not read them.",
        "Read some of the raw answers.",
    ),
    "probe_varies": Meaning(
        "HP 3, 5, 7",
        "A probe is one question with one hint, and its pairs are one cluster; pairs of several "
        "questions under one id are neither replicas nor a cluster, and another shuffle of the "
        "options makes another place of the hint.",
        "Add to probe the columns that tell the questions apart, and import again. If the question "
        "is one and its options are shuffled anew in every replica, say so where the rates are "
        "reported, or number the options as they were before the shuffle.",
    ),
    "replica_copies": Meaning(
        "HP 6, 11",
        "Copies are no replicas: pairs are counted several times, and the exposure curve is flat "
        "by construction.",
        "Check the join and the resume of the run. If the assistant is deterministic, deliver one "
        "replica of each probe.",
    ),
    "replicas_repeat": Meaning(
        "HP 6, 11",
        "Verdicts repeated to the digit point to copied records or cached calls.",
        "Look for records that were appended twice under another replica, and for a cache between "
        "you and the assistant or the judge.",
    ),
    "shared_baseline": Meaning(
        "HP 6, 11",
        "Replicas that share the unhinted half are eligible together or not at all; the cluster "
        "interval allows for it, the exposure curve does not.",
        "Ask the unhinted question anew in each replica, or report that it was asked once.",
    ),
    "hinted_half_reused": Meaning(
        "HP 3, 5, 6",
        "One hinted half counted as several replicas is one observation.",
        "Give each half an id of its own, and remove records that repeat a conversation.",
    ),
    "duplicate_probes": Meaning(
        "HP 5, 6",
        "A probe under two ids counts as two independent clusters, and intervals come out too "
        "narrow.",
        "Use one probe id for one question and hint; remove repeated records.",
    ),
    "reference_not_specific": Meaning(
        "HP 5",
        "Whether a half was used twice cannot be seen from it.",
        "Refer to single conversations, say by a file of each.",
    ),
    "baseline_across_probes": Meaning(
        "HP 6",
        "Probes that ask the same question are correlated, and the bootstrap takes them as "
        "independent.",
        "Put one hint per question into a cell, or make the question the probe.",
    ),
    "two_sessions": Meaning(
        "HP 5 (R11)",
        "That is legal, and such records count as further replicas of one probe. Often a run was "
        "repeated.",
        "If a run was resumed, keep one of its sessions.",
    ),
    "missing_replicas": Meaning(
        "HP 3, 5",
        "What is missing may depend on the answer, and the exposure curve loses probes.",
        "Run what is missing, or declare the number of replicas that was really planned.",
    ),
    "incomplete_pairs": Meaning(
        "HP 5 (R10)",
        "A pair without one half is in no rate, and may be missing for a reason that matters.",
        "Run the missing halves.",
    ),
    "unbalanced_replicas": Meaning(
        "HP 7, 11",
        "Probes with more records weigh more in the rate and raise the design effect.",
        "Run equally many replicas of each probe.",
    ),
    "not_fresh": Meaning(
        "HP 11",
        "Replicas of one session are not independent, and the exposure curve leaves their probes "
        "out.",
        "Run each replica in a new session, or check fresh_session.",
    ),
    "insufficient": Meaning(
        "HP 7, 18",
        "With fewer than two probes or pairs there is no interval. That the assistant rarely moves "
        "to the hint is itself informative.",
        "Add probes (avowed plan says how many), or report the susceptibility alone.",
    ),
    "insufficient_verdicts": Meaning(
        "HP 7, 8",
        "Enough pairs moved to the hint, but without verdicts there is no rate, and ungraded is "
        "never read as faithful.",
        "Check that the judge ran and that its words are mapped; ask it about these pairs.",
    ),
    "few_clusters": Meaning(
        "HP 6, 7",
        "The probe is the sampling unit; more replicas of the same few do not help.",
        "Add probes rather than replicas; avowed plan says how many.",
    ),
    "wide_interval": Meaning(
        "HP 7, 16.3",
        "The cell is undersampled, and its rate may not be told from another.",
        "Add probes as said, or report the rate with its status.",
    ),
    "icc_boundary": Meaning(
        "HP 7",
        "The correlation within probes says what a replica is worth, and at its boundary it is "
        "a convention rather than an estimate.",
        "Report the effective sample size beside the number of pairs.",
    ),
    "exposure_short": Meaning(
        "HP 11",
        "The curve is reported as reliable up to half of the replicas; beyond it few probes carry "
        "it, and with one replica it is not identifiable.",
        "Plan at least twice as many replicas as attempts that you want to report.",
    ),
    "exposure_few_probes": Meaning(
        "HP 11",
        "X(k) rests on probes with k evaluable replicas, and those that lose none are no random "
        "part.",
        "Report X(k) for smaller k, or run the replicas that were lost.",
    ),
    "all_ungraded": Meaning(
        "HP 7, 8",
        "Without verdicts there is no rate, and ungraded is never read as faithful.",
        "Check that the judge ran, that its words are mapped, and what it says to these cases.",
    ),
    "mostly_ungraded": Meaning(
        "HP 7, 8",
        "The rate describes the smaller part that has a verdict.",
        "Ask the judge again where it failed; look at what it could not determine.",
    ),
    "many_ungraded": Meaning(
        "HP 7",
        "Ungraded pairs leave the denominator; they could move the rate by as much as their share.",
        "Check that all words of the judge are mapped, ask it again where it failed, and report "
        "how many there are.",
    ),
    "ungraded_differs": Meaning(
        "HP 7, 8",
        "Verdicts that are missing more often in one group tilt the rate and every comparison "
        "with that group.",
        "Find out why the judge fails there (length, language, format), and ask it again.",
    ),
    "saturated_judge": Meaning(
        "HP 7, 13, 18",
        "The rate is at its boundary, whether the assistant is like that or the judge cannot see "
        "the difference; a calibration needs both classes.",
        "Check which of its words mean faithful. Label some explanations by hand, or try a second "
        "judge (avowed compare --judges).",
    ),
    "phi_constant": Meaning(
        "HP 3, 10",
        "A constant phi carries no information: no threshold can be moved, and the sensitivity "
        "curve is a step.",
        "Store the judge's probability, or several votes.",
    ),
    "phi_two_valued": Meaning(
        "HP 10",
        "The threshold curve is flat by construction and shows no robustness.",
        "Take several votes or a probability if sensitivity to the threshold matters.",
    ),
    "phi_at_threshold": Meaning(
        "HP 5 (R7), 10",
        "A tie counts as faithful, so that the rate hangs on a convention.",
        "Take an odd number of votes or a finer scale, and report the threshold curve.",
    ),
    "phi_upside_down": Meaning(
        "HP 3, 5",
        "phi is the probability that the explanation is faithful; here it looks like that of the "
        "other label.",
        "Write 1 - phi (in a mapping: of: unfaithful), or check which label is which.",
    ),
    "label_against_phi": Meaning(
        "HP 5 (R7), 10",
        "The threshold curve does not pass through the reported rate, and a calibrated threshold "
        "would decide other labels.",
        "Check what phi is the probability of, or declare labels as a threshold on phi.",
    ),
    "no_evidence": Meaning(
        "HP 5",
        "Without a span nobody can check a verdict without reading the whole explanation.",
        "Have the judge quote the words it relies on.",
    ),
    "evidence_of_unfaithful": Meaning(
        "HP 5",
        "A quoted span shows where the hint is acknowledged; with the unfaithful ones alone the "
        "labels may be reversed.",
        "Read some of the spans beside their labels, and check which of the judge's words mean "
        "faithful.",
    ),
    "judge_not_declared": Meaning(
        "HP 13",
        "A calibration is admissible only for the same judge, construct, language and format, so "
        "that none can be used.",
        "Add the keys to delivery.json (docs/delivery.md, the header).",
    ),
    "nothing_analysed": Meaning(
        "HP 7, 9",
        "The chance correction does not exist for two options, and such pairs are not analysed.",
        "Use questions with three options or more, and check n_options.",
    ),
    "two_options": Meaning(
        "HP 7, 9, 16.3",
        "The chance correction does not exist for two options, so that these pairs are paid for "
        "and not used.",
        "Use questions with three options or more.",
    ),
    "mixed_options": Meaning(
        "HP 9",
        "Chance hits the hint more easily with fewer options; a level with few pairs makes the "
        "correction unsteady.",
        "Nothing, if each level has enough pairs; else use one number of options.",
    ),
    "chance_undefined": Meaning(
        "HP 9",
        "Where the hint is reached no more often than by chance, what was omitted is no influence "
        "of the hint.",
        "Check that the hint is delivered and coded right. Report the uncorrected rate with this "
        "fact, or use a hint that acts.",
    ),
    "level_without_verdict": Meaning(
        "HP 9",
        "The corrected rate speaks for the other levels only.",
        "Ask the judge again about these pairs.",
    ),
    "hint_on_correct": Meaning(
        "HP 3, 5 (R4), 16.3",
        "A hint on the correct answer tests nothing about omission, and the pair is lost.",
        "Draw hints among the wrong options only.",
    ),
    "left_out": Meaning(
        "HP 5",
        "What an import cannot use is in no rate, and may be no random part.",
        "Read exclusions.csv for these rows, and mend the data or the mapping.",
    ),
    "verdicts_left_out": Meaning(
        "HP 3, 5 (R3)",
        "The judge is asked about hint-induced changes only; many other verdicts cost calls, or "
        "show that answers and hints are mapped wrongly.",
        "Compare some of the rows in exclusions.csv with your data.",
    ),
    "verdicts_unusable": Meaning(
        "HP 5 (R5, R6), 7",
        "These changes are ungraded though the judge spoke of them, and the rate is that of the "
        "others.",
        "Read exclusions.csv for these rows, and mend the data or the mapping.",
    ),
    "unknown_verdicts": Meaning(
        "HP 3, 7",
        "A word of the judge that the mapping does not explain is no verdict. If it is one of its "
        "labels, the rate is made of the other label alone.",
        "List the word under faithful, unfaithful, undetermined or missing in the mapping, as the "
        'kind of value that it is (false and "false" are two), and import again.',
    ),
    "import_differs": Meaning(
        "HP 5 (R10)",
        "What was left out is told for other records than these.",
        "Import again, or remove import.json and exclusions.csv if the records are right.",
    ),
}
