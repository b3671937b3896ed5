"""A quantized GGUF as F32: its own numbers, so that log-probs can be compared (and the Q4_1 file answers nonsense in chat).

usage: llama_to_gguf.py FILE.gguf OUT.gguf     needs: gguf numpy
"""
import sys

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFValueType, GGUFWriter, dequantize

source, out = sys.argv[1:3]
reader = GGUFReader(source)
writer = GGUFWriter(out, reader.fields["general.architecture"].contents())
MADE_BY_WRITER = ("GGUF.", "general.architecture", "general.file_type", "general.quantization_version")
for name, field in reader.fields.items():
    if name.startswith(MADE_BY_WRITER):
        continue
    kind, element = field.types[0], field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
    writer.add_key_value(name, field.contents(), kind, element)
writer.add_file_type(0)
for tensor in reader.tensors:
    weights = dequantize(tensor.data, tensor.tensor_type)
    writer.add_tensor(tensor.name, weights.astype(np.float32), raw_dtype=GGMLQuantizationType.F32)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
