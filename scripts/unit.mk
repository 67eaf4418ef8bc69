# Builds build/unit/$(CXX)/unit, the unit tests of src/core: no server in sight, so strict C++20
# and the sanitizers can be had.

CXX = g++
OUT = build/unit/$(CXX)
OBJS := $(patsubst test/unit/%.cpp,$(OUT)/%.o,$(sort $(wildcard test/unit/*.cpp)))

# -O0 -g1: compiling takes the most time here, and nothing that a sanitizer would report is
# optimized away; -g1 is enough for its traces.
FLAGS = -std=c++20 -O0 -g1 -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all
WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror
DEFINES = -DTEST_DATA_DIR='"$(CURDIR)/test"'

$(OUT)/unit: $(OBJS)
	$(CXX) $(FLAGS) -o $@ $^ -lgtest_main -lgtest -pthread

$(OUT)/%.o: test/unit/%.cpp scripts/unit.mk
	@mkdir -p $(@D)
	$(CXX) $(FLAGS) $(WARNINGS) -Isrc -Itest/unit $(DEFINES) -MMD -MP -c -o $@ $<

-include $(OBJS:.o=.d)
