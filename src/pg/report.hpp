// Every error that a user can cause, with its SQLSTATE and words. Text in a message is cut short
// and printed in ASCII, so that no input can break a log line or the client's encoding.
#pragma once

#include "core/id.hpp"
#include "pg/server.hpp"

namespace pulid {

// Not an id: 22P02 or, from the wire, 22P03. Returns if context asks for soft errors (16 and
// later).
void report_malformed(std::string_view written, int sqlstate, Node *context);

// An id, but not of the prefix that a type or a call asks for: 23514. The type may be InvalidOid.
// Returns if context asks for soft errors.
void report_wrong_prefix(IdView id, std::string_view required, Oid type, Node *context);

// Why a text is no id of this prefix, in the words of the two above, or nullptr if it is one.
char *problem_of(std::string_view written, std::string_view required);

// Not a prefix where one is an argument, or a modifier: 22023.
[[noreturn]] void report_invalid_prefix(std::string_view prefix);
[[noreturn]] void report_prefix_too_long_for_modifier(std::string_view prefix);
[[noreturn]] void report_modifier_count();
[[noreturn]] void report_reserved_modifier(int32 modifier);

// What cannot make up a digit id: 22023.
[[noreturn]] void report_invalid_digit_prefix(std::string_view prefix);
[[noreturn]] void report_invalid_digit_count(int32 digits);
[[noreturn]] void report_negative_rows(int64 rows);

// An instant that no id can hold: 22008.
[[noreturn]] void report_instant_out_of_range();

// A text too long to be an end of a range: 22P02. Returns if context asks for soft errors.
void report_malformed_bound(std::string_view written, Node *context);

// The server began without the shared memory of pulid_generate_monotonic: 55000.
[[noreturn]] void report_no_shared_memory();

// The operating system has no random bytes: XX000.
[[noreturn]] void report_no_randomness();

} // namespace pulid
