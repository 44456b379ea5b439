"""What a reader steps through: one widget a file, its state in Python beside its front end in JavaScript and CSS.

base.py    what all are built on; page.py: a front end on a page of its own, in a notebook that is opened again
all        guess_box.py: where a lecture says "Predict"
01         em_stepper.py, corpus_explorer.py
02         bpe_stepper.py, of what bpe_panel.py shows of a text; sentence_cutter.py
03         gate_explorer.py, of gate_readers.py and unit_features.py; diagram_stepper.py, for all lectures
04         sentence_map.py
05         attention_heatmap.py, of attention_views.py
06         beam_stepper.py, of beam_views.py and beam_compare.py; together.py: one sentence for several
07         attention_stepper.py, of attention_heads.py; bertviz.py, with vendored/
08         schedule_explorer.py, smoothing_explorer.py
09         ngram_explorer.py, of ngram_views.py; rating_form.py, of rating_tasks.py
"""

from course_lib.widgets.attention_heatmap import AttentionHeatmap as AttentionHeatmap
from course_lib.widgets.attention_stepper import AttentionStepper as AttentionStepper
from course_lib.widgets.beam_stepper import BeamStepper as BeamStepper
from course_lib.widgets.bpe_stepper import BPEStepper as BPEStepper
from course_lib.widgets.corpus_explorer import CorpusExplorer as CorpusExplorer
from course_lib.widgets.diagram_stepper import DiagramStepper as DiagramStepper
from course_lib.widgets.em_stepper import EMStepper as EMStepper
from course_lib.widgets.gate_explorer import EncoderExplorer as EncoderExplorer
from course_lib.widgets.gate_explorer import GateExplorer as GateExplorer
from course_lib.widgets.guess_box import GuessBox as GuessBox
from course_lib.widgets.guess_box import predict as predict
from course_lib.widgets.ngram_explorer import NgramExplorer as NgramExplorer
from course_lib.widgets.rating_form import RatingForm as RatingForm
from course_lib.widgets.schedule_explorer import ScheduleExplorer as ScheduleExplorer
from course_lib.widgets.sentence_cutter import SentenceCutter as SentenceCutter
from course_lib.widgets.sentence_map import SentenceMap as SentenceMap
from course_lib.widgets.smoothing_explorer import SmoothingExplorer as SmoothingExplorer
from course_lib.widgets.together import together as together
