"""PTX as C: results and the number of executed instructions of a kernel written by hand."""

import ctypes
import shutil
from pathlib import Path

import pytest

from tests.helpers.lane_runs import library_of_ptx

# It adds 5, 4, 3, 2 and 1 to a word in memory.
PTX = """
.version 6.0
.target sm_70
.address_size 64
.visible .entry total(
	.param .u64 total_param_0
)
{
	.reg .pred 	%p<2>;
	.reg .b64 	%rd<5>;
	ld.param.b64 	%rd1, [total_param_0];
	mov.b64 	%rd2, 5;
	ld.b64 	%rd3, [%rd1];
$L__BB0_1:
	add.s64 	%rd3, %rd3, %rd2;
	add.s64 	%rd2, %rd2, -1;
	setp.ne.b64 	%p1, %rd2, 0;
	@%p1 bra 	$L__BB0_1;
	st.b64 	[%rd1], %rd3;
	ret;
}
"""


def test_instructions_have_their_effect_and_are_counted(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    library = ctypes.CDLL(str(library_of_ptx(PTX, tmp_path, "total")))
    word = ctypes.c_uint64(100)
    library.run_total((ctypes.c_uint64 * 32)(ctypes.addressof(word)), 0)
    assert word.value == 100 + 5 + 4 + 3 + 2 + 1
    assert ctypes.c_uint64.in_dll(library, "executed").value == 3 + 5 * 4 + 2
