# Builds build/unit/$(CXX)/unit, the unit tests of src/core: no server in sight, so strict C++20
# and the sanitizers can be had. The fuzz targets are in it, without a fuzzer: they replay
# test/fuzz/corpus.

CXX = g++
OUT = build/unit/$(CXX)
OBJS := $(patsubst %.cpp,$(OUT)/%.o,$(sort $(wildcard test/unit/*.cpp test/fuzz/*.cpp)))

# -O0 -g1: compiling takes the most time here, and nothing that a sanitizer would report is
# optimized away; -g1 is enough for its traces.
INSTRUMENT = -O0 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS = -std=c++20 $(INSTRUMENT)
WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror
DEFINES = -DTEST_DATA_DIR='"$(CURDIR)/test"'
LIBS = -lgtest_main -lgtest -pthread

$(OUT)/unit: $(OBJS)
	$(CXX) $(FLAGS) -o $@ $^ $(LIBS)

$(OUT)/%.o: %.cpp scripts/unit.mk
	@mkdir -p $(@D)
	$(CXX) $(FLAGS) $(WARNINGS) -Isrc -Itest/unit $(DEFINES) -MMD -MP -c -o $@ $<

# GoogleTest itself, where the machine to run on has no library of it (scripts/cross).
$(OUT)/gtest.a: scripts/unit.mk
	@mkdir -p $(@D)
	$(CXX) $(FLAGS) -I$(GTEST) -I$(GTEST)/include -c -o $(OUT)/gtest-all.o $(GTEST)/src/gtest-all.cc
	$(CXX) $(FLAGS) -I$(GTEST)/include -c -o $(OUT)/gtest_main.o $(GTEST)/src/gtest_main.cc
	$(AR) rcs $@ $(OUT)/gtest-all.o $(OUT)/gtest_main.o

ifdef GTEST
$(OUT)/unit: $(OUT)/gtest.a
LIBS = -pthread
endif

-include $(OBJS:.o=.d)
