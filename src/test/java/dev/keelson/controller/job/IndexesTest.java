package dev.keelson.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sets of completion indexes. */
@Timeout(30)
class IndexesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''        | 5  | ''",
        "0         | 5  | 0",
        "0,1       | 5  | 0,1",
        "0-1       | 5  | 0,1",
        "0,1,2     | 5  | 0-2",
        "0,2-4,6-7 | 8  | 0,2-4,6,7",
        "0-3,4     | 9  | 0-4",
        "1,5-9     | 7  | 1,5,6",
        "1,7,8     | 7  | 1",
        "x,2,3-y,4 | 9  | 2,4",
      })
  void parse_readsWhatIsReadableBelowTheLimit(String text, int completions, String expected) {
    assertThat(Indexes.parse(text, completions)).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''      | ''      | ''",
        "1       | ''      | 1",
        "''      | 2,4     | 2,4",
        "0-2     | 4-6     | 0-2,4-6",
        "0-2     | 3       | 0-3",
        "0-9     | 3-4     | 0-9",
        "2,5-6   | 0,1,3,4 | 0-6",
      })
  void with_joinsBoth(String one, String other, String expected) {
    assertThat(Indexes.parse(one, 99).with(Indexes.parse(other, 99))).hasToString(expected);
  }

  @Test
  void contains_looksIntoRanges() {
    Indexes indexes = Indexes.parse("1,3-5,9", 99);

    for (int i = 0; i < 12; i++) {
      assertThat(indexes.contains(i)).isEqualTo(List.of(1, 3, 4, 5, 9).contains(i));
    }
    assertThat(indexes.count()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''    | 3 | 5 | 0,1,2",
        "0-1,3 | 3 | 5 | 2,4",
        "0-4   | 3 | 5 | ''",
        "7     | 9 | 3 | 0-2",
      })
  void firstMissing_endsAtTheNumberOrTheLimit(
      String taken, int count, int completions, String expected) {
    List<Integer> missing = Indexes.parse(taken, 99).firstMissing(count, completions);

    assertThat(Indexes.of(missing)).hasToString(Indexes.parse(expected, 99).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0-4 | 2-9 | 3", "0,2,4 | 1,3 | 0", "0-9 | 1,3-4,9 | 4", "'' | 1 | 0"})
  void common_countsIndexesOfBoth(String one, String other, int expected) {
    assertThat(Indexes.parse(one, 99).common(Indexes.parse(other, 99))).isEqualTo(expected);
  }
}
