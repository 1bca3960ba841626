package dev.keelson.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.cel.ValueType.Simple;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages and formatted texts as cel-go has them, where the library for Java has others. */
@Timeout(120)
class GoWordsTest {

  private static final Environment ENVIRONMENT =
      new Environment(Map.of("text", Simple.TEXT, "any", Simple.ANY));
  private static final Map<String, Object> VALUES = Map.of("text", "x", "any", 1L);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1 + 'a'                        | 3 | found no matching overload for '_+_' applied to '(int, string)'
          size(1)                        | 5 | found no matching overload for 'size' applied to '(int)'
          quantity('1').add('2')         | 18 | found no matching overload for 'add' applied to 'kubernetes.Quantity.(string)'
          timestamp('2020-01-01T00:00:00Z') + 1 | 35 | found no matching overload for '_+_' applied to '(timestamp, int)'
          duration('1s') * 2             | 16 | found no matching overload for '_*_' applied to '(duration, int)'
          [duration('1s'), 1]            | 18 | expected type 'duration' but found 'int'
          [1].map(1, 1)                  | 9 | argument is not an identifier
          [1].filter(1 + 1, true)        | 14 | argument is not an identifier
          [1].all(1, true)               | 9 | argument must be a simple name
          [1].existsOne(text + text, true) | 20 | argument must be a simple name
          9223372036854775808            | 1 | invalid int literal
          text == 'a' ? 0 : 0x1FFFFFFFFFFFFFFFF | 19 | invalid int literal
          18446744073709551616u          | 1 | invalid uint literal
          1e400                          | 1 | invalid double literal
          text && true                   | 1 | expected type 'bool' but found 'string'
          true && (text == 'a' && 1)     | 25 | expected type 'bool' but found 'int'
          `true || {'a': 1}`             | 9 | expected type 'bool' but found 'map(string, int)'
          [1].all(x, x)                  | 12 | expected type 'bool' but found 'int'
          timestamp('2020-01-01T00:00Z')       | 11 | invalid timestamp argument
          timestamp('2020-01-01t00:00:00z')    | 11 | invalid timestamp argument
          timestamp('0000-01-01T00:00:00Z')    | 11 | invalid timestamp argument
          duration('9223372037s')        | 10 | invalid duration argument
          '%d'.format(['a'])             | 14 | error during formatting: decimal clause can only be used on integers, was given string
          '%b'.format([1.5])             | 14 | error during formatting: only integers and bools can be formatted as binary, was given double
          '%f'.format([1])               | 14 | error during formatting: fixed-point clause can only be used on doubles, was given int
          '%s'.format([{'a': quantity('1')}]) | 28 | error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given kubernetes.Quantity
          '%s %s'.format([text])         | 15 | index 1 out of range
          '%s'.format([text, text])      | 12 | too many arguments supplied to string.format (expected 1, got 2)
          '%z'.format([1])               | 12 | could not parse formatting clause: unrecognized formatting clause "z"
          '%.2'.format([1.0])            | 13 | could not parse formatting clause: error while parsing precision: could not find end of precision specifier
          """)
  void wrongExpression_isNamed(String text, int column, String why) {
    assertThatThrownBy(() -> ENVIRONMENT.compile(text, Simple.ANY))
        .hasMessageStartingWith(
            "compilation failed: ERROR: <input>:1:" + column + ": " + why + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Missing{a: 1}", "Missing{a: 1, b: 2}"})
  void literalOfAnUnknownType_isOneError(String text) {
    assertThatThrownBy(() -> ENVIRONMENT.compile(text, Simple.ANY))
        .hasMessage(
            "compilation failed: ERROR: <input>:1:8: undeclared reference to 'Missing' (in container"
                + " '')\n | "
                + text
                + "\n | .......^");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          18446744073709551615u + uint(any)             | unsigned integer overflow
          0u - uint(any)                                | unsigned integer overflow
          9223372036854775808u * uint(any + 1)          | unsigned integer overflow
          1u / uint(any - 1)                            | division by zero
          1u % uint(any - 1)                            | modulus by zero
          int(any * 9223372036854775807 + 0) + int(double(any) * 1e30) | integer overflow
          uint(0 - any)                                 | unsigned integer overflow
          uint(double(any) - 2.0)                       | unsigned integer overflow
          duration('2562047h') + duration(text == 'x' ? '2562047h' : '1s') | duration overflow
          timestamp('9999-12-31T23:59:59Z') + duration(text + '1s' == 'x1s' ? '1s' : '') | timestamp overflow
          timestamp('0001-01-01T00:00:00Z') - duration(text + '1s' == 'x1s' ? '1s' : '') | timestamp overflow
          timestamp('2020-01-01T00:00:00Z').getHours('Nowhere/' + text) | unknown time zone Nowhere/x
          optional.none().value()                       | optional.none() dereference
          (text + '%d').format([any, 2, text][2] == text ? [text] : []) | error during formatting: decimal clause can only be used on integers, was given string
          (text + '%b').format(dyn([1.5]))              | error during formatting: only integers and bools can be formatted as binary, was given double
          (text + '%f').format(dyn([any]))              | error during formatting: fixed-point clause can only be used on doubles, was given int
          dyn([1])[text] == 1                           | unsupported index type 'string' in list
          dyn([1])[dyn(double(any) + 0.5)] == 1         | unsupported index value 1.5 in list
          dyn([1])[dyn(18446744073709551615u)] == 1     | unsupported index value 18446744073709551615 in list
          (text + '%s').format(dyn([]))                 | index 0 out of range
          dyn([1]).name == 1                            | unsupported index type 'string' in list
          has(dyn([1]).name)                            | unsupported index type 'string' in list
          double(' 1' + (text == 'x' ? '' : text))      | type conversion error from 'string' to 'double'
          double('1d' + (text == 'x' ? '' : text))      | type conversion error from 'string' to 'double'
          double('1e400' + (text == 'x' ? '' : text))   | type conversion error from 'string' to 'double'
          int('٥' + (text == 'x' ? '' : text))          | type conversion error from 'string' to 'int'
          duration('300y' + (text == 'x' ? '' : text))  | type conversion error from 'string' to 'google.protobuf.Duration'
          {'a': 1, 'b': 1}.transformMapEntry(k, v, {v: k}) | insert failed: key 1 already exists
          [dyn(1)].unwrapOpt()                          | value 1 is not optional
          double('NaN') < double(any)                   | NaN values cannot be ordered
          any >= double('NaN')                          | NaN values cannot be ordered
          timestamp(253402300800 * any)                 | timestamp overflow
          timestamp('9999-12-31T00:00:00Z') - timestamp(any) | duration overflow
          any.all(x, true)                              | got 'types.Int', expected iterable type
          dyn(text).exists(x, true)                     | got 'types.String', expected iterable type
          dyn(null).map(x, x)                           | got 'types.Null', expected iterable type
          dyn(semver('1.0.0')).filter(x, true)          | got 'cel.Semver', expected iterable type
          dyn(format.uri()).exists_one(x, true)         | got '*cel.Format', expected iterable type
          any.all(i, x, true)                           | unsupported comprehension range type: types.Int
          `dyn({}).a == 1 || dyn({}).b == 1`            | no such key: a
          dyn({}).a == 1 && dyn({}).b == 1              | no such key: a
          [1, 2].all(x, {}[dyn(x)] == 1)                | no such key: 1
          """)
  void failedEvaluation_isNamed(String text, String why) {
    Expression expression = ENVIRONMENT.compile(text, Simple.ANY);

    assertThatThrownBy(() -> expression.value(VALUES)).hasMessage(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'%s'.format([1e20]) == '1e+20' && '%s'.format([123456789.0]) == '1.23456789e+08'",
        "'%s'.format([[1.5, 'a\"b', b'x', null]]) == '[1.500000, \"a\\\\\"b\", b\"x\", null]'",
        "'%s'.format([{'k': [duration('2h')]}]) == '{\"k\":[duration(\"7200s\")]}'",
        "'%s'.format([type(1)]) == 'int'",
        "'%s'.format([timestamp('2020-01-01T02:00:00.120+02:00')]) =="
            + " '2020-01-01T02:00:00.12+02:00'",
        "'%f %f'.format(['NaN', '-Infinity']) == 'NaN -∞' && '%.1f'.format([-12345.67]) =="
            + " '-12,345.7'",
        "'%.3e'.format([1052.032911275]) == '1.052033\u202f×\u202f10⁰³'",
        "(text + '%s').format(dyn([1, 2])) == 'x1'",
        "3u + 4u == 7u && 4u - 3u == 1u && 3u * 4u == 12u && 7u / 2u == 3u && 7u % 2u == 1u",
        "18446744073709551615u / 2u == 9223372036854775807u",
        "duration('2h') - duration('30m') == duration('90m')",
        "timestamp('2020-01-01T00:00:00Z') + duration('1s') == timestamp('2020-01-01T00:00:01Z')",
        "duration('1s') + timestamp('2020-01-01T00:00:00Z') > timestamp('2020-01-01T00:00:00Z')",
        "'123 abc 456'.findAll('[0-9]*') == ['123', '', '', '', '', '456']",
        "'baab'.findAll('a*') == ['', 'aa', ''] && 'baab'.findAll('a*', 2) == ['', 'aa']",
        "double('inf' + (text == 'x' ? '' : text)) > 1.0 && double('.5') == 0.5",
        "double('0x1p4' + (text == 'x' ? '' : text)) == 16.0 && int('+5') == 5",
        "duration('.5s') == duration('500ms') && duration('1.s') == duration('1s')",
        "duration(1000000000) == duration('1s') && int(duration('1s')) == 1000000000",
        "duration('1h2m3s4ms').getMilliseconds() == 3723004",
        "timestamp('2020-01-01T00:00:00.5Z').getMilliseconds() == 500",
        "timestamp('2020-01-01T00:00:00Z').getHours('') == 0",
        "type(optional.none()) == optional_type && type(optional.of(1)) == optional_type",
        "[1, 2].first().value() == 1 && [].last() == optional.none()",
        "optional.unwrap([optional.of(1), optional.none()]) == [1]",
        "[optional.of(1), optional.none()].unwrapOpt() == [1]",
        "dyn([5, 6])[dyn(1.0)] == 6 && dyn([5, 6])[dyn(1u)] == 6",
        "[1, 2].existsOne(x, x > 1) && !{'a': 1, 'b': 2}.existsOne(k, k != '')"
      })
  void whatHolds_holds(String text) throws EvaluationException {
    assertThat(ENVIRONMENT.compile(text, Simple.BOOL).holds(VALUES)).isTrue();
  }
}
