"""What a reader steps through: one widget a file, its state in Python beside its front end in JavaScript and CSS."""

from course_lib.widgets.attention_heatmap import AttentionHeatmap as AttentionHeatmap
from course_lib.widgets.attention_stepper import AttentionStepper as AttentionStepper
from course_lib.widgets.beam_stepper import BeamStepper as BeamStepper
from course_lib.widgets.bpe_stepper import BPEStepper as BPEStepper
from course_lib.widgets.corpus_explorer import CorpusExplorer as CorpusExplorer
from course_lib.widgets.diagram_stepper import DiagramStepper as DiagramStepper
from course_lib.widgets.em_stepper import EMStepper as EMStepper
from course_lib.widgets.gate_explorer import GateExplorer as GateExplorer
from course_lib.widgets.schedule_explorer import ScheduleExplorer as ScheduleExplorer
from course_lib.widgets.sentence_map import SentenceMap as SentenceMap
from course_lib.widgets.smoothing_explorer import SmoothingExplorer as SmoothingExplorer
