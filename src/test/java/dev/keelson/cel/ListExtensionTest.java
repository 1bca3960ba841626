package dev.keelson.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.cel.ValueType.Simple;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CEL's extended library of lists in version 3, by its documentation. */
@Timeout(60)
class ListExtensionTest {

  private static final Environment ENVIRONMENT =
      new Environment(Map.of("any", Simple.ANY, "texts", new ValueType.ListOf(Simple.TEXT)));
  private static final Map<String, Object> VALUES =
      Map.of("any", 1L, "texts", List.of("b", "a", "c", "a"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1, 2, 3, 4].slice(1, 3) == [2, 3] && [1, 2].slice(0, 0) == [] && [].slice(0, 0) == []",
        "texts.slice(2, 4) == ['c', 'a']",
        "[[1, 2], [], [3]].flatten() == [1, 2, 3] && [[[1], [2]], [[3]]].flatten() == [[1], [2], [3]]",
        "[[[1], [2]], [[3]]].flatten(2) == [1, 2, 3] && [[1], [2]].flatten(0) == [[1], [2]]",
        "dyn([1, 2]).flatten() == [1, 2]",
        "[5, 3, 1, 2].reverse() == [2, 1, 3, 5] && [].reverse() == []",
        "texts.distinct() == ['b', 'a', 'c'] && [].distinct() == [] && [[1], [1]].distinct() == [[1]]",
        "dyn([1, 1]).distinct() == [1] && [dyn(1), dyn(1.0), dyn('1')].distinct().size() == 2",
        "texts.sort() == ['a', 'a', 'b', 'c'] && [3, 2, 1].sort() == [1, 2, 3]",
        "[1.5, -1.0].sort() == [-1.0, 1.5] && [2u, 1u].sort() == [1u, 2u]",
        "[true, false].sort() == [false, true] && [b'b', b'a'].sort() == [b'a', b'b']",
        "[duration('2s'), duration('1s')].sort()[0] == duration('1s')",
        "[timestamp(2), timestamp(1)].sort()[0] == timestamp(1) && dyn([2, 1]).sort() == [1, 2]",
        "texts.sort().isSorted() && texts == ['b', 'a', 'c', 'a']",
        "[{'n': 2, 's': 2}, {'n': 1, 's': -1}].sortBy(e, e.s)[0].n == 1",
        "texts.sortBy(t, t == 'a' ? 'z' : t) == ['b', 'c', 'a', 'a']",
        "[1, 2, 3].map(x, x * 2).sortBy(e, -e) == [6, 4, 2] && [].sortBy(e, e) == []",
        "[[2, 1], [3]].sortBy(l, l.sortBy(x, x)[0]).size() == 2",
        "lists.range(4) == [0, 1, 2, 3] && lists.range(0) == [] && lists.range(-1) == []",
        "lists.range(3).map(i, texts[i]) == ['b', 'a', 'c']"
      })
  void whatHolds_holds(String text) throws EvaluationException {
    assertThat(ENVIRONMENT.compile(text, Simple.BOOL).holds(VALUES)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          texts.slice(-1, 2)           | cannot slice(-1, 2), negative indexes not supported
          texts.slice(2, 1)            | cannot slice(2, 1), start index must be less than or equal to end index
          texts.slice(1, 5)            | cannot slice(1, 5), list is length 4
          [[1]].flatten(-1)            | level must be non-negative
          dyn([[1]]).sort()            | list elements must be comparable
          dyn([null]).sort()           | list elements must be comparable
          [dyn(1), dyn('a')].sort()    | list elements must have the same type
          dyn(1).sort()                | no such overload
          any.reverse()                | no such overload
          lists.range(9000000000)      | operation cancelled: actual cost limit exceeded
          lists.range(1000).sort()     | operation cancelled: actual cost limit exceeded
          """)
  void failedCall_isNamed(String text, String why) {
    Expression expression = ENVIRONMENT.compile(text, Simple.ANY);

    assertThatThrownBy(() -> expression.value(VALUES)).hasMessage(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [[1]].sort()        | 11 | found no matching overload for 'sort' applied to 'list(list(int)).()'
          ['a'].flatten()     | 14 | found no matching overload for 'flatten' applied to 'list(string).()'
          'a'.distinct()      | 13 | found no matching overload for 'distinct' applied to 'string.()'
          lists.range('a')    | 12 | found no matching overload for 'lists.range' applied to '(string)'
          texts.sortBy(1, 1)  | 14 | argument is not an identifier
          1.sortBy(a, a)      | 1  | sortBy can only be applied to a list, identifier, comprehension, call or select expression
          texts.sortBy(t, [t]) | 13 | found no matching overload for '@sortByAssociatedKeys' applied to 'list(string).(list(list(string)))'
          """)
  void wrongCall_isNamed(String text, int column, String why) {
    assertThatThrownBy(() -> ENVIRONMENT.compile(text, Simple.ANY))
        .hasMessageStartingWith(
            "compilation failed: ERROR: <input>:1:" + column + ": " + why + "\n");
  }

  @Test
  void listsInLists_growToABound() {
    String repeated = "[0].map(i, lists.range(900)).map(a, lists.range(900).map(i, a)).flatten()";
    Expression expression =
        ENVIRONMENT.compile(repeated + ".map(b, lists.range(900).map(i, b)).flatten()", Simple.ANY);

    assertThatThrownBy(() -> expression.value(VALUES)).isInstanceOf(EvaluationException.class);
  }
}
